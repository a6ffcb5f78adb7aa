#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# For the checks' scripts in the guest.

# Runs iotrace, its capture into $report. Never by strace, which it would go over to if the probes did not load.
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
