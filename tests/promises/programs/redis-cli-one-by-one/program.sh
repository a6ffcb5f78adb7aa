#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A bulk load into redis: redis-cli sends a command and waits for its answer, 14,000 times; mended,
# redis-cli --pipe. Both have it calculate a report afterwards
redis-server --port 0 --unixsocket r.sock --save "" --appendonly no --daemonize no > redis.log 2>&1 &
server=$!
for _ in $(seq 100); do [ -S r.sock ] && break; sleep 0.02; done
if [ "$1" = good ]; then
    redis-cli -s r.sock --pipe < load.txt > load.out
else
    redis-cli -s r.sock < load.txt > load.out
fi
redis-cli -s r.sock dbsize
redis-cli -s r.sock eval "local s = 0; for i = 1, 12000000 do s = (s + i * i) % 1000003 end; return s" 0
redis-cli -s r.sock shutdown nosave
wait $server
rm -f r.sock
