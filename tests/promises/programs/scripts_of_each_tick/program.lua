-- SPDX-License-Identifier: GPL-2.0
-- Runs the scripts of a game's creatures, all of them in each tick.
local bad = arg[1] == "bad"
local names = {"wolf", "sheep", "grass", "hunter", "river", "crow"}
local loaded = {}

local function script(name)
	local path = "scripts/" .. name .. ".lua"
	if bad then
		return loadfile(path)
	end
	loaded[name] = loaded[name] or loadfile(path)
	return loaded[name]
end

world = {}
for _, name in ipairs(names) do
	world[name] = 100
end
for tick = 1, 5000 do
	for _, name in ipairs(names) do
		script(name)(tick)
	end
end
for _, name in ipairs(names) do
	print(name, world[name])
end
