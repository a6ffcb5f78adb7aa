-- SPDX-License-Identifier: GPL-2.0
-- Counts the tokens of a source, character by character.
local file = assert(io.open("source.txt", "r"))
local counts, token, total = {}, {}, 0
if arg[1] == "good" then
    file:setvbuf("full", 262144)
end

local function take(c)
    if c:match("[%w_]") then
        token[#token + 1] = c
    elseif #token > 0 then
        local word = table.concat(token)
        counts[word] = (counts[word] or 0) + 1
        token, total = {}, total + 1
    end
end

while true do
    local c = file:read(1)
    if not c then
        break
    end
    take(c)
end
file:close()
local words = {}
for word in pairs(counts) do
    words[#words + 1] = word
end
table.sort(words)
local out = assert(io.open("tokens.txt", "w"))
out:write(total, " ", #words, "\n")
out:close()
