#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Who makes the calls, for the README: of a build, of a server and of two services in cgroups of their own.
# Usage: who.sh path/to/iotrace MAKE, as root, in what isolate.py and `unshare --net` make.
set -eu

iotrace=$(realpath "$1")
make=$2
requests=20000
cgroups=$(findmnt -nft cgroup2 -o TARGET)/shop

cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
mkdir "$cgroups" "$cgroups/web" "$cgroups/store"
ip link set lo up

# Ends the servers that it has started.
stop() {
    for file in "$folder"/*.pid; do
        [ ! -s "$file" ] || kill "$(cat "$file")"
    done
    wait
    rmdir "$cgroups"/*/ "$cgroups"
    rm -rf "$folder"
}
trap stop EXIT

# start CGROUP COMMAND...: starts a server there.
start() {
    (echo 0 >"$cgroups/$1/cgroup.procs" && shift && exec "$@") >"$folder/said" 2>&1 &
}

# show 'COMMAND' CAPTURE [OPTION]: prints the groups of a report as they come from the command.
show() {
    echo "\$ sudo $1"
    "$iotrace" report --section=groups ${3:+"$3"} "$folder/$2" | sed 's/ *$//'
}

# Tells what iotrace says, if it fails.
iotrace() {
    "$iotrace" "$@" 2>"$folder/error" || { cat "$folder/error" >&2; return 1; }
}

# Returns when iotrace, which runs in the background, says that it misses no call from then on.
begun() {
    until grep -q 'tracing has begun' "$folder/error"; do kill -0 $tracer; done
    : >"$folder/error"
}

echo '```'
iotrace --by=comm:5 -o "$folder/build.json" -- "$make" -s -j4 objects "BUILD=$folder/build" >/dev/null
show 'iotrace --by=comm:5 -- make -j4' build.json --by=comm:5

start store redis-server --bind 127.0.0.1 --dir "$folder" --pidfile "$folder/redis.pid" --io-threads 2 --appendonly yes --save ''
until redis-cli ping >/dev/null 2>&1; do :; done
cat >"$folder/nginx.conf" <<END
worker_processes 2;
daemon off;
user root;
pid $folder/nginx.pid;
error_log $folder/error.log;
events {}
http {
    access_log $folder/access.log;
    server { listen 127.0.0.1:8080; location / { return 200 "hello\\n"; } }
}
END
start web nginx -p "$folder" -c "$folder/nginx.conf"
until [ -s "$folder/nginx.pid" ]; do :; done

iotrace --by=thread --duration 5 -p redis-server -o "$folder/server.json" &
tracer=$!
begun
redis-benchmark -q -n $requests -t set >/dev/null
wait $tracer
echo
show 'iotrace --by=thread --duration 5 -p redis-server' server.json

iotrace --by=cgroup,comm --duration 5 --cgroup shop -o "$folder/cgroups.json" &
tracer=$!
begun
redis-benchmark -q -n $requests -t set >/dev/null
ab -q -n $requests -c 8 http://127.0.0.1:8080/ >/dev/null 2>&1
wait $tracer
echo
show 'iotrace --by=cgroup,comm --duration 5 --cgroup shop' cgroups.json
echo '```'
