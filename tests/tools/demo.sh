#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The main job: one line per flush beside one line per newline. Usage: demo.sh path/to/iotrace
set -eu

iotrace=$1
output=$(mktemp)
trap 'rm -f "$output"' EXIT
sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo

for workload in endl_loop newline_loop; do
    echo
    echo "\$ ${sudo:+sudo }$iotrace -y -- ./workloads/$workload > 1.txt"
    $sudo "$iotrace" -y -- "./workloads/$workload" >"$output"
done
