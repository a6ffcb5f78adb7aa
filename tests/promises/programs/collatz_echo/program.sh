#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Prints how many steps numbers take to one.
steps() {
    local n=$1 s=0
    while ((n != 1)); do
        ((n = n % 2 ? 3 * n + 1 : n / 2, s++))
    done
    reply=$s
}
if [ "$1" = good ]; then
    text=
    for ((i = 1; i <= 1800; i++)); do
        steps $i
        text+="$i $reply"$'\n'
    done
    printf %s "$text" > steps.txt
else
    for ((i = 1; i <= 1800; i++)); do
        steps $i
        echo "$i $reply"
    done > steps.txt
fi
