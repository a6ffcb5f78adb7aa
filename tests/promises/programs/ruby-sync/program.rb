# SPDX-License-Identifier: GPL-2.0
# Writes each line at once, or leaves that to the file's buffer.
File.open("out", "w") do |out|
  out.sync = ARGV[0] != "good"
  100_000.times { |i| out.puts("line #{i}") }
end
