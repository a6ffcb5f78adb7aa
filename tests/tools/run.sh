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
failures=$(mktemp)
all_failures=$(mktemp)
chmod 666 "$tally" "$failures"
trap 'rm -f "$tally" "$failures" "$all_failures"' EXIT

add() { # passed failed skipped
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

run() { # title, program and its arguments
    title=$1
    echo "== $title"
    shift
    : >"$tally"
    : >"$failures"
    if TALLY=$tally FAILURES=$failures "$@"; then
        status=0
    else
        status=$?
    fi
    sed "s/^/failed: $title: /" "$failures" >>"$all_failures"
    if [ -s "$tally" ]; then
        # shellcheck disable=SC2046
        add $(cat "$tally")
    else
        echo "run: $* ended without a tally, status $status" >&2
        add 0 1 0
    fi
}

build_test() { # make's arguments
    $make --no-print-directory -j"$(nproc)" "$@" || {
        echo "run: cannot build: $*" >&2
        add 0 1 0
        return 1
    }
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo env TALLY="${TALLY:-}" FAILURES="${FAILURES:-}" IOTRACE="$IOTRACE" BACKEND="${BACKEND:-}" "$@"
    fi
}

# Unit tests need no privileges, and are run without them where the files can be reached without.
as_nobody() {
    if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$(pwd)/$1"; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        "$@"
    fi
}

build_test BUILD="$build" "$build/tests/unit" && run "unit tests" as_nobody "$build/tests/unit"
san=$build/sanitized
build_test BUILD="$san" SAN=address,undefined "$san/tests/unit" &&
    run "unit tests under ASan and UBSan" as_nobody "$san/tests/unit"
run "the benchmark's arithmetic" python3 -B tests/bench/test_bench.py
IOTRACE=$(pwd)/$build/iotrace
export IOTRACE
e2e=$build/tests/e2e
if build_test BUILD="$build" "$e2e"; then
    unchanged=tests/tools/unchanged.py
    export BACKEND=bpf
    run "end-to-end tests, bpf" as_root $unchanged "$e2e"
    run "end-to-end tests that need the machine's own pids" as_root "$e2e" '[machine]'
    run "end-to-end tests, interrupted" as_root $unchanged --interrupt 'cgroup: those in it and below it, before and after' \
        "$e2e" 'attach:*,cgroup:*,formats:*'
    # What does not depend on the backend is tested by now.
    BACKEND=strace
    run "end-to-end tests, strace" as_root $unchanged "$e2e" '~[once]~[given]'
fi

summary="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || summary="$summary, $skipped skipped"
cat "$all_failures"
echo "$summary"
[ "$failed" -eq 0 ]
