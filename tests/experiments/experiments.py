#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs the published experiments under iotrace and without, in turns, and fewer lines under strace, and writes what
came out beside what was published: BUILD/experiments.md, .csv and .svg. Run it where workloads/ is."""

import argparse
import contextlib
import csv
import dataclasses
import datetime
import json
import os
import pty
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import claims
import picture
import write_up

STRACE_CALLS = 20_000  # strace gets as many lines as make no more calls than these: with all lines it would take hours.
NO_EBPF_SCALE = 1 / 200  # Share of the lines that is run where strace drives iotrace, too.


class Failed(Exception):
    pass


@dataclasses.dataclass
class StraceRun:
    lines: int
    wall: float  # Seconds of wall time.
    in_calls: float  # Seconds in calls, as strace counts them.
    calls: dict  # Number of calls by syscall.


def say(text):
    print(f"experiments: {text}", file=sys.stderr, flush=True)


def run(argv, folder, stdout=subprocess.DEVNULL, stderr=None):
    """Runs a command, whose temporary files go to the folder. Its standard error goes to ours, or is returned with
    stderr=PIPE."""
    result = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, text=True, check=False,
                            env=dict(os.environ, TMPDIR=folder))
    if result.returncode:
        raise Failed(f"{shlex.join(argv)}: exit status {result.returncode}\n{result.stderr or ''}".strip())
    return result.stderr


@contextlib.contextmanager
def terminal():
    """A pseudo-terminal whose other end is read by somebody who throws it away."""
    master, slave = pty.openpty()

    def read():
        with contextlib.suppress(OSError):  # EIO says that the last writer has gone.
            while os.read(master, 65536):
                pass

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield slave
    finally:
        os.close(slave)
        reader.join()
        os.close(master)


def read_strace(path):
    """The seconds in calls, and the number of calls of each syscall, of what strace -c -o has written."""
    seconds, calls = 0.0, {}
    with open(path, encoding="utf-8") as file:
        for words in map(str.split, file):
            # Columns: % time, seconds, usecs/call, calls, errors if there are any, syscall.
            if len(words) in (5, 6) and words[3].isdigit() and words[-1] != "total":
                seconds += float(words[1])
                calls[words[-1]] = int(words[3])
    return seconds, calls


class Runner:
    def __init__(self, args):
        self.iotrace, self.scale, self.runs = os.path.join(args.build, "iotrace"), args.scale, args.runs
        self.folder = os.path.join(args.build, "experiments")
        self.output = os.path.join(self.folder, "output.txt")
        self.stdout = os.path.join(self.folder, "stdout.txt")
        os.makedirs(self.folder, exist_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def lines(self, group):
        return max(1, round(group.lines * self.scale))

    def rounds(self, group):
        return self.runs or group.runs

    def command(self, side, lines):
        return side.command.format(n=lines, output=shlex.quote(self.output))

    @contextlib.contextmanager
    def stdout_of(self, group):
        if group.stdout == "terminal":
            with terminal() as slave:
                yield slave
        else:
            path = self.stdout if group.stdout == "file" else os.devnull
            with open(path, "w", encoding="utf-8") as file:
                yield file

    def backend(self):
        path = os.path.join(self.folder, "true.json")
        run([self.iotrace, "--quiet", "-o", path, "--", "true"], self.folder)
        with open(path, encoding="utf-8") as file:
            return json.load(file)["backend"]

    def compare(self, group):
        """The runs of all programs, as `iotrace compare` writes them."""
        path = os.path.join(self.folder, "compare.json")
        where = {"terminal": "inherit", "file": self.stdout, "null": "null"}[group.stdout]
        argv = [self.iotrace, "compare", "--quiet", "-e", "%output", "-r", str(self.rounds(group)), f"--stdout={where}", "-o", path]
        for side in group.sides:
            argv += ["-n", side.name]
        argv += [self.command(side, self.lines(group)) for side in group.sides]
        with self.stdout_of(group) as stdout:
            run(argv, self.folder, stdout=stdout)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def strace(self, group, side, calls):
        """Runs a program under strace. calls is the number that it makes with all lines."""
        path = os.path.join(self.folder, "strace.txt")
        lines = self.lines(group) if calls <= STRACE_CALLS else max(1, round(self.lines(group) * STRACE_CALLS / calls))
        argv = ["strace", "-f", "-c", "-o", path, *shlex.split(self.command(side, lines))]
        with self.stdout_of(group) as stdout:
            start = time.monotonic()
            run(argv, self.folder, stdout=stdout)
            wall = time.monotonic() - start
        return StraceRun(lines, wall, *read_strace(path))

    def own_timing(self, group):
        """What the programs say that their own calls took, in seconds, over all runs, which are made in turns."""
        said = {side.name: [] for side in group.sides}
        for _ in range(self.rounds(group)):
            for side in group.sides:
                argv = shlex.split(self.command(side, self.lines(group))) + ["--timing"]
                words = run(argv, self.folder, stderr=subprocess.PIPE).split("seconds per call: ")[1].split()
                said[side.name].append(dict(zip(words[0::2], map(float, words[1::2]))))
        return {name: {"average": sum(each["average"] for each in runs) / len(runs),
                       "maximum": max(each["maximum"] for each in runs),
                       "minimum": min(each["minimum"] for each in runs)} for name, runs in said.items()}

    def measure(self, group):
        say(f"{group.name}: {self.lines(group):,} lines, {self.rounds(group)} rounds of {len(group.sides)} programs, traced and not")
        result = claims.Result(group, self.lines(group), self.rounds(group), self.compare(group))
        if group.timing:
            result.timing = self.own_timing(group)
        for side in group.sides:
            result.strace[side.name] = self.strace(group, side, result.figure(side.name, "calls", "total"))
        return result


def parse():
    names = [group.name for group in claims.GROUPS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build", help="where iotrace is, and the results go (default: build)")
    parser.add_argument("--scale", type=float, default=1.0, metavar="N",
                        help="the lines as published, times N: 0.1 for a tenth (default: 1)")
    parser.add_argument("--runs", type=int, help="of each program, traced and not (default: 2 to 5, more of those that are quick)")
    parser.add_argument("--only", default=",".join(names), help="some of these: %(default)s")
    args = parser.parse_args()
    if not 0 < args.scale <= 100:
        parser.error(f"--scale {args.scale}: more than 0, and 100 at most")
    if args.runs is not None and not 1 <= args.runs <= 1000:
        parser.error(f"--runs {args.runs}: from 1 to 1000")
    args.only = args.only.split(",")
    for name in args.only:
        if name not in names:
            parser.error(f"--only {name}: there are {', '.join(names)}")
    return args


def check_tools():
    """Checks before anything is measured that all tools are there."""
    for tool in ("strace", "gnuplot"):
        if not shutil.which(tool):
            raise Failed(f"{tool} is missing: `make experiments` installs it on Debian; src/README.md names the packages")


def measure_all(args, results):
    """Runs the experiments, and appends what comes out to the results."""
    with Runner(args) as runner:
        if runner.backend() != "bpf" and runner.scale > NO_EBPF_SCALE:
            say(f"eBPF cannot be used (iotrace doctor says why), so this is N={NO_EBPF_SCALE:g}")
            runner.scale = NO_EBPF_SCALE
        for group in claims.GROUPS:
            if group.name in args.only:
                results.append(runner.measure(group))


def write(args, results, took):
    base = os.path.join(args.build, "experiments")
    with open(f"{base}.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(write_up.csv_rows(results))
    picture.draw(f"{base}.svg", results)
    with open(f"{base}.md", "w", encoding="utf-8") as file:
        file.write(write_up.markdown(results, took, datetime.date.today()))
    with open(f"{base}-summary.md", "w", encoding="utf-8") as file:
        file.write(write_up.summary_page(results, took, datetime.date.today()))
    say(f"{base}.md, .csv and .svg are written, after {took:.0f} s")


def main():
    args, results, status, start = parse(), [], 0, time.monotonic()
    try:
        check_tools()
        measure_all(args, results)
    except (Failed, OSError) as error:
        say(f"error: {error}")
        status = 1
    except KeyboardInterrupt:
        say("interrupted")
        status = 128 + signal.SIGINT
    # What was measured before something failed is kept.
    try:
        if results:
            write(args, results, time.monotonic() - start)
    except (OSError, subprocess.CalledProcessError) as error:
        say(f"error: {error}")
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
