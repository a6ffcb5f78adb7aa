#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Asks a calculator one question after the other, each of which needs the answer before.
coproc mawk -W interactive '{ print $1 * 3 % 7; fflush() }'
pid=$COPROC_PID
x=5
for ((i = 0; i < 6000; i++)); do
    echo "$x" >&"${COPROC[1]}"
    read -r x <&"${COPROC[0]}"
done
echo "$x" >answer
eval "exec ${COPROC[1]}>&-"
wait "$pid"
