-- SPDX-License-Identifier: GPL-2.0
-- Sorts orders into a file for each of sixteen regions.
local files = {}
local orders = 0

for line in io.lines("orders.csv") do
	local region, rest = line:match("^(%w+),(.*)$")
	local file = files[region]
	if not file then
		file = io.open("region-" .. region, "w")
		files[region] = file
	end
	file:write(rest, "\n")
	orders = orders + 1
end
for _, file in pairs(files) do
	file:close()
end
print(orders)
