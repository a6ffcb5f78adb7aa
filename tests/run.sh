#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds and runs all test programs and adds up what they say; the last line is "N passed, N failed[, N skipped]".
# Environment: BUILD (default build), MAKE.
set -u

build=${BUILD:-build}
make=${MAKE:-make}
passed=0
failed=0
skipped=0
tally=$(mktemp)
trap 'rm -f "$tally"' EXIT

add() { # passed failed skipped
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

run() { # title, program and its arguments
    echo "== $1"
    shift
    : >"$tally"
    if TALLY=$tally "$@"; then
        status=0
    else
        status=$?
    fi
    if [ -s "$tally" ]; then
        # shellcheck disable=SC2046
        add $(cat "$tally")
    else
        echo "run: $* ended without a tally, status $status" >&2
        add 0 1 0
    fi
}

build_test() { # make's arguments
    $make --no-print-directory "$@" || {
        echo "run: cannot build: $*" >&2
        add 0 1 0
        return 1
    }
}

sudo=
[ "$(id -u)" -eq 0 ] || sudo="sudo -E"

build_test BUILD="$build" "$build/tests/unit" && run "unit tests" "$build/tests/unit"
san=$build/sanitized
build_test BUILD="$san" SAN=address,undefined "$san/tests/unit" &&
    run "unit tests under ASan and UBSan" "$san/tests/unit"
IOTRACE=$(pwd)/$build/iotrace
export IOTRACE
build_test BUILD="$build" "$build/tests/e2e" && run "end-to-end tests, eBPF" $sudo "$build/tests/e2e"

summary="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ "$failed" -eq 0 ]
