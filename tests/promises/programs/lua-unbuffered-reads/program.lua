-- SPDX-License-Identifier: GPL-2.0
-- Reads a file by characters, without or with a buffer.
local data = io.open("data", "r")
data:setvbuf(arg[1] == "good" and "full" or "no")
local lines = 0
for c in function() return data:read(1) end do
    if c == "\n" then
        lines = lines + 1
    end
end
data:close()
assert(lines == 60000)
