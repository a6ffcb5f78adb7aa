# SPDX-License-Identifier: GPL-2.0
# Works through a list; writes progress at each item ("bad") or when its text changes ("good").
require 'zlib'

ITEMS = 24_000
always = ARGV[0] == 'bad'
shown = nil
sum = 0
ITEMS.times do |item|
  sum = Zlib.crc32("#{item} " * 1200, sum)
  text = format("%3d %% done\n", (item + 1) * 100 / ITEMS)
  next if text == shown && !always

  File.write('progress', text, 0)
  shown = text
end
File.write('sum', "#{sum}\n")
