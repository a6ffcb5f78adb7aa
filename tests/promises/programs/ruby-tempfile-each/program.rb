#!/usr/bin/env ruby
# SPDX-License-Identifier: GPL-2.0
# Ruby hands each document to the digest through a temporary file, written, read and removed;
# mended, as the string that it is
require 'digest'
require 'tempfile'
all = Digest::SHA256.new
2500.times do |i|
  doc = (0...80).map { |k| "line #{k} of document #{i}: #{(i * 7919 + k * 104729) % 65537}" }.join("\n")
  if ARGV[0] == 'good'
    sum = Digest::SHA256.hexdigest(doc)
  else
    Tempfile.create('doc', 'tmp') do |f|
      f.write(doc)
      f.flush
      sum = Digest::SHA256.file(f.path).hexdigest
    end
  end
  all << sum
end
puts all.hexdigest
