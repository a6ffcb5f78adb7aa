#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds and runs all test programs and adds up what they say; the last line is "N passed, N failed[, N skipped]".
#
# run.sh [--durations]: with it, names the ten slowest cases of each program.
#
# They are run in two lanes, side by side if there are two CPUs. What a lane prints stays in one piece, and the order is
# always the same.
#
# Environment: BUILD (default build), MAKE, JOBS (1: one lane after the other), CASES (a pattern of Catch2: only the
# end-to-end cases that match, with both backends).
set -u

build=${BUILD:-build}
make=${MAKE:-make}
jobs=${JOBS:-$(nproc)}
cases=${CASES:-}
e2e=$build/tests/e2e
unchanged=tests/tools/unchanged.py
case $build in
/*) IOTRACE=$build/iotrace ;;
*) IOTRACE=$(pwd)/$build/iotrace ;;
esac
export IOTRACE

lane=
durations=
while [ $# -gt 0 ]; do
    case $1 in
    --durations) durations=--durations ;;
    --lane) # Arguments: the number of a lane that this script starts, and where its results go.
        lane=$2
        results=$3
        shift 2
        ;;
    *)
        echo "run: $1: the only option is --durations" >&2
        exit 2
        ;;
    esac
    shift
done

seconds_since() {
    echo $(($(date +%s) - $1))
}

took() { # Arguments: a title, seconds.
    echo "== $1: $2 s"
    printf '%6d s  %s\n' "$2" "$1" >>"$results/$lane.times"
}

# Arguments: a title, a program and its arguments. What the program says of itself goes to files of its own.
run() {
    title=$1
    shift
    nr=$((${nr:-0} + 1))
    at=$results/$lane-$nr
    for kind in tally failures durations; do
        : >"$at.$kind"
        chmod 666 "$at.$kind"
    done
    echo "== $title"
    begin=$(date +%s)
    if TALLY=$at.tally FAILURES=$at.failures DURATIONS=$at.durations "$@"; then
        status=0
    else
        status=$?
    fi
    took "$title" "$(seconds_since "$begin")"
    if [ ! -s "$at.tally" ]; then
        echo "run: $* ended without a tally, status $status" >&2
        echo "0 1 0" >"$at.tally"
        echo "(the program ended with status $status, without a tally)" >>"$at.failures"
    fi
    sed "s/^/failed: $title: /" "$at.failures" >>"$results/$lane.failed"
    if [ -n "$durations" ]; then
        echo "   the slowest, in seconds:"
        sort -rn "$at.durations" | head -n 10 | sed 's/^/   /'
    fi
}

build() { # Arguments: those of make.
    begin=$(date +%s)
    if ! $make --no-print-directory -j"$(nproc)" BUILD="$build" "$@"; then
        echo "run: cannot build: $*" >&2
        echo "failed: build: $*" >>"$results/$lane.failed"
        echo "0 1 0" >"$results/$lane-build.tally"
        return 1
    fi
    took "build of $*" "$(seconds_since "$begin")"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo env TALLY="${TALLY:-}" FAILURES="${FAILURES:-}" DURATIONS="${DURATIONS:-}" IOTRACE="$IOTRACE" \
            BACKEND="${BACKEND:-}" IOTRACE_PLAIN_START="${IOTRACE_PLAIN_START:-0}" "$@"
    fi
}

# Unit tests need no privileges, and are run without them where the files can be reached without.
as_nobody() {
    if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$build/tests/unit"; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        "$@"
    fi
}

end_to_end() { # Arguments: a backend, and those of run().
    BACKEND=$1
    export BACKEND
    shift
    run "$@"
}

# The pattern selects the cases of CASES that depend on the backend; without CASES all of those.
once='~[once]~[given]'$(printf '%s' "$cases" | sed 's/,/,~[once]~[given]/g')

lane_with_bpf() {
    # shellcheck disable=SC2086
    end_to_end bpf "end-to-end tests, bpf" as_root $unchanged "$e2e" ${cases:+"$cases"}
    [ -z "$cases" ] || return
    end_to_end bpf "end-to-end tests that need the machine's own pids" as_root "$e2e" '[machine]'
    # What makes a start shorter must not change what a run can do.
    IOTRACE_PLAIN_START=1
    export IOTRACE_PLAIN_START
    end_to_end bpf "end-to-end tests, plain start" as_root "$e2e" \
        'start:*,launch:*,attach:*,files:*,refusals:*,losses:*,scope:*'
    unset IOTRACE_PLAIN_START
    end_to_end bpf "end-to-end tests, interrupted" as_root $unchanged \
        --interrupt 'scope: cgroup: those in it and below it, before and after' "$e2e" 'attach:*,scope: cgroup:*,formats:*'
}

lane_without() {
    if [ -z "$cases" ]; then
        run "unit tests" as_nobody "$build/tests/unit"
        # Freed memory is kept for a while, and each fork makes a copy of it: 16 MB are enough.
        run "unit tests under ASan and UBSan" as_nobody env ASAN_OPTIONS=quarantine_size_mb=16 \
            "$build/tests/unit-sanitized"
        run "the benchmark's arithmetic" python3 -B tests/tools/py_tests.py tests/bench/test_bench.py
        run "the hooks for commits" python3 -B tests/tools/py_tests.py tests/tools/test_hooks.py
        run "how promises are scored" python3 -B tests/tools/py_tests.py tests/promises/test_promises.py
        run "the experiments' rules" python3 -B tests/tools/py_tests.py tests/experiments/test_experiments.py
    fi
    # Cases that do not depend on the backend are tested with the other one.
    end_to_end strace "end-to-end tests, strace" as_root $unchanged "$e2e" "$once"
}

case $lane in
1) lane_with_bpf; exit ;;
2) lane_without; exit ;;
esac

start_lane() { # Argument: the lane's number.
    # The shell has background jobs ignore Ctrl-C, which the tests must not.
    env --default-signal=INT,QUIT "$0" $durations --lane "$1" "$results"
}

start=$(date +%s)
results=$(mktemp -d)
chmod 755 "$results"
second=
trap '[ -z "$second" ] || { kill "$second"; wait "$second"; } 2>/dev/null; rm -rf "$results"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

lane=0
programs=$e2e
[ -n "$cases" ] || programs="$build/tests/unit $build/tests/unit-sanitized $e2e"
# shellcheck disable=SC2086
if build all $programs; then
    if [ "$jobs" -gt 1 ]; then
        start_lane 2 >"$results/2.log" 2>&1 &
        second=$!
        start_lane 1
        wait "$second"
        second=
        cat "$results/2.log"
    else
        start_lane 1
        start_lane 2
    fi
fi

echo "== how long it took"
cat "$results"/*.times
printf '%6d s  in all\n' "$(seconds_since "$start")"
cat "$results"/*.failed 2>/dev/null
if [ -n "$cases" ] && ! cat "$results"/*.durations | grep -q .; then
    echo "failed: no end-to-end test matches '$cases'; a '*' stands at the beginning or the end of a name"
    echo "0 1 0" >"$results/none.tally"
fi
cat "$results"/*.tally | awk '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
        exit failed > 0
    }'
