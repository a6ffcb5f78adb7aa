#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Starts redis on a socket in this folder, and asks it one question after the other.
redis-server --port 0 --unixsocket "$PWD/socket" --appendonly yes --appendfsync everysec \
    --save "" --daemonize no --logfile redis.log --dir "$PWD" &
pid=$!
until redis-cli -s socket ping 2>&1 | grep -q PONG; do
    kill -0 "$pid" || exit 1
    sleep 0.01
done
{
    for ((i = 0; i < 5000; i++)); do echo "SET key:$((i % 100)) value-$i"; done
    echo SHUTDOWN
} | redis-cli -s socket >answers
wait "$pid"
