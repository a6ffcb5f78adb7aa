-- SPDX-License-Identifier: GPL-2.0
-- Flushes each line, or leaves that to the file's buffer.
local good = arg[1] == "good"
local out = io.open("out", "w")
for i = 1, 150000 do
    out:write("line ", i, "\n")
    if not good then
        out:flush()
    end
end
out:close()
