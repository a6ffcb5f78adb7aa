#!/usr/bin/env lua5.4
-- SPDX-License-Identifier: GPL-2.0
-- A static site generator in Lua writes 600 pages, each a file of its own, opened, written once and
-- closed; the template is read once
local f = assert(io.open("template.html"))
local template = f:read("a")
f:close()
for page = 1, 600 do
  local text = template:gsub("{{title}}", "page " .. page)
  local out = assert(io.open("site/" .. page % 10 .. "/" .. page .. ".html", "w"))
  out:write(text)
  out:close()
end
