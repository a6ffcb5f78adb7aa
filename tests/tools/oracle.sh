#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs the oracle at length and prints its table, or counts one command in the same way.
# Usage: oracle.sh E2E_PROGRAM. Environment: IOTRACE, CMD (a command; otherwise the tests' subjects).
set -u

e2e=$1
if [ "$(id -u)" -ne 0 ]; then
    exec sudo env IOTRACE="$IOTRACE" CMD="${CMD:-}" "$0" "$e2e"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ORACLE_TABLE=$folder/table
export ORACLE_TABLE
export BACKEND=bpf
if [ -n "${CMD:-}" ]; then
    # The command runs where it is, with what it prints.
    ORACLE_COMMAND=$CMD E2E_ISOLATED=1 "$e2e" 'oracle: the command that is given' --out "$folder/said"
    status=$?
else
    echo 'oracle: this takes about three minutes' >&2
    ORACLE_SCALE=20 "$e2e" 'oracle:*~[given]' >"$folder/said" 2>&1
    status=$?
fi
if [ -s "$ORACLE_TABLE" ]; then
    column -t -s "$(printf '\t')" -N program,tasks,calls,syscalls,differences -R tasks,calls,syscalls "$ORACLE_TABLE"
fi
[ "$status" -eq 0 ] || cat "$folder/said"
exit "$status"
