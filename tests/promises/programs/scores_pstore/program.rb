# SPDX-License-Identifier: GPL-2.0
# Adds the points of a tournament to a store of scores.
require 'pstore'

store = PStore.new('scores.pstore')
points = File.readlines('points.txt').map { |line| line.split }

def add(store, player, more)
  store[player] = (store[player] || 0) + more.to_i
end

if ARGV[0] == 'bad'
  points.each { |player, more| store.transaction { add(store, player, more) } }
else
  store.transaction { points.each { |player, more| add(store, player, more) } }
end
store.transaction(true) { puts store.roots.sum { |player| store[player] } }
