# SPDX-License-Identifier: GPL-2.0
# Two processes draw numbered tickets from one file, under a lock, and so see each other's.
EACH = 20_000
File.write('next', format('%010d', 0))

clerks = %w[left right].map do |name|
  fork do
    drawn = []
    File.open('next', 'r+') do |file|
      EACH.times do
        file.flock(File::LOCK_EX)
        ticket = file.pread(10, 0).to_i + 1
        file.pwrite(format('%010d', ticket), 0)
        file.flock(File::LOCK_UN)
        drawn << ticket
      end
    end
    File.write(name, drawn.join("\n"))
  end
end
clerks.each { |pid| exit 1 unless Process.wait2(pid)[1].success? }
exit File.read('next').to_i == EACH * clerks.size
