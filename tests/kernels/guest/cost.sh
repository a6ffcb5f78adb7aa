#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the guest runs for cost.py. Each line of the file "modes" has a mode's name, a number of calls, and the command that
# runs what makes these calls; as its parent it holds the programs, whose counts go to a file of the mode's name.

check_cost() {
    echo 1 >/proc/sys/kernel/bpf_stats_enabled
    while IFS='|' read -r mode calls command; do
        # The other shell expands its own variables, and the command is several words.
        # shellcheck disable=SC2016,SC2086
        $command sh -c 'fd_write_loop -n "$0" >/dev/null; cat /proc/$PPID/fdinfo/* >"$1"' "$calls" "$mode" </dev/null
    done <modes
}
