#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the scripts of several checks use in the guest.
# The traced shell expands these, and not this one.
# shellcheck disable=SC2016

# Runs iotrace, which writes its capture to $report. It may not go over to strace if the probes do not load.
iot() {
    iotrace --backend=bpf -o "${report:=report.json}" "$@"
}

capabilities() {
    grep CapPrm "/proc/$1/status"
}

# Starts iotrace in the background and returns when it traces: it then has fewer capabilities than it began with.
# Sets $tracer.
iot_started() {
    iotrace --backend=bpf -o "${report:=report.json}" "$@" &
    tracer=$!
    while [ "$(capabilities $tracer)" = "$(capabilities self)" ]; do
        ! grep -q '^State:.Z' /proc/$tracer/status || return 1
    done
}

# Starts served with so many threads, and returns when all of them and the main one are asleep. Each byte that is
# written to descriptor 3 wakes one. Sets $server.
serve() {
    rm -f go
    mkfifo go
    served "$1" 300 < go &
    server=$!
    exec 3> go
    until [ "$(grep -ls '^0 \|^202 ' /proc/$server/task/*/syscall | wc -l)" = $(($1 + 1)) ]; do :; done
}

# Runs iotrace where the probes do not load: with that backend, and with whichever can be used. The arguments are a command
# that runs it.
fails() {
    "$@" iotrace --backend=bpf -- echo no 2> first
    echo $?
    "$@" iotrace -o report.json -e write -- threads 2 5 2> second
    echo $?
}

as_nobody() {
    /bin/setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# Writes to two files, of which -P selects the first. Arguments: the name of the capture, the two files.
selects() {
    iotrace --backend=bpf -o "$1.json" -e write -P "$2" -- sh -c 'echo x >>"$0"; echo yy >>"$1"' "$2" "$3"
}
