#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the lines of src/ that the unit tests and the end-to-end tests of both backends run: coverage.py BUILD

BUILD is a build folder whose sources were compiled with --coverage. Prints a table by room, which is also written to
BUILD/coverage.md; BUILD/not_run.txt has the lines that nothing ran. A test that fails does not keep the others from running;
the exit status is 1 then. With CASES in the environment only the end-to-end cases that match it are run. Needs root."""
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOMS = ("src/cli", "src/report", "src/trace", "src/trace/bpf", "src/trace/strace", "src/model", "src/model/rules", "src/base")


def forget(notes):
    """Deletes the counters, for a run that is to come. iotrace is also run as other users, who are to add to its files."""
    for path in notes:
        counters = path.with_suffix(".gcda")
        counters.write_bytes(b"")
        counters.chmod(0o666)


def run_tests(build):
    """Runs the tests. Returns the programs that failed, each with its exit status."""
    cases = os.environ.get("CASES", "")
    # Cases that do not depend on the backend are tested with eBPF alone.
    others = ",".join("~[once]~[given]" + case for case in cases.split(","))
    for title, command, backend in (("unit tests", [build / "tests/unit"], ""),
                                    ("end-to-end tests, bpf", [build / "tests/e2e", *filter(None, [cases])], "bpf"),
                                    ("end-to-end tests, strace", [build / "tests/e2e", others], "strace")):
        print(f"== {title}", flush=True)
        environment = dict(os.environ, IOTRACE=str(build.resolve() / "iotrace"), BACKEND=backend)
        status = subprocess.run(command, env=environment, check=False).returncode
        if status:
            yield f"{title}: status {status}"


def times_run(notes):
    """How often each line with code was run, by file and number. A header's line is counted over all files together."""
    times = collections.Counter()
    # gcov complains about files that have tables and no functions, also by its status.
    said = subprocess.run(["gcov", "--json-format", "--stdout", *notes], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout
    for file in (file for line in said.splitlines() for file in json.loads(line)["files"]):
        for line in file["lines"] if file["file"].startswith("src/") else ():
            times[file["file"], line["line_number"]] += line["count"]
    return times


def room_of(path):
    return max((room for room in ROOMS if path.startswith(room + "/")), key=len)


def table(times):
    yield "| room | lines | run | % |"
    yield "| --- | ---: | ---: | ---: |"
    for room in (*ROOMS, "all"):
        counts = [count for (path, _), count in times.items() if room in ("all", room_of(path))]
        run = sum(count > 0 for count in counts)
        yield f"| {room if room == 'all' else f'`{room}/`'} | {len(counts)} | {run} | {100 * run / max(len(counts), 1):.1f} |"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    # A source that was renamed has left notes behind.
    notes = [path for path in sorted((build / "obj/src").rglob("*.gcno"))
             if path.relative_to(build / "obj").with_suffix(".c").exists()]
    forget(notes)
    failed = list(run_tests(build))
    times = times_run(notes)
    text = "\n".join(table(times)) + "\n"
    print(text, end="")
    (build / "coverage.md").write_text(text, encoding="utf-8")
    (build / "not_run.txt").write_text("".join(f"{path}:{line}\n" for (path, line), count in sorted(times.items()) if not count),
                                       encoding="utf-8")
    for failure in failed:
        print(f"failed: {failure}")
    return bool(failed)


sys.exit(main())
