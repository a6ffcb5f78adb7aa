#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What tracing costs: iotrace beside the floor and beside other tools, in one interleaved run.

Writes BUILD/bench.json, bench.md and bench.svg. `make bench` builds what this needs and runs it, as root; `make bench
QUICK=1` takes fewer and shorter rounds, `BENCH_ARGS=` passes options on (--help names them).
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

import growth
import machine
import plot
import process
import report
import starting
import tools
from stats import added, difference, ratio, spread, target

PHASES = ["null:1:write", "null:2:write", "file:1:write", "file:2:write", "null:1:pwrite64"]
MAIN = report.MAIN
SWITCH = "null:1:switch"
UNWANTED = "null:1:pwrite64"  # This call is not in the default set.
# (what, numerator, denominator, phase, at most): figures of what is added to one call. Two limits: with a cheap and a
# dear clock.
CALL_TARGETS = [
    ("plain ÷ floor", "iotrace --no-files", "floor", MAIN, (1.15, 1.08)),
    ("everything on ÷ floor", "iotrace", "floor", MAIN, 1.30),
    ("stacks: with ÷ without", "iotrace", "iotrace --no-stacks", MAIN, 1.03),
    ("groups: with ÷ without", "iotrace --by=process", "iotrace", MAIN, 1.03),
    ("waits: with ÷ without", "floor + task storage + switches", "floor + task storage", MAIN, 1.03),
    ("plain ÷ syscount -L", "iotrace --no-files", "syscount -L -p", MAIN, 0.46),
    ("everything on ÷ syscount -L", "iotrace", "syscount -L -p", MAIN, 0.55),
    ("--no-latency ÷ perf stat -e", "iotrace --no-latency --no-files", "perf stat -e syscalls:sys_enter_write", MAIN, 0.85),
    ("bystander, unwanted call ÷ empty pair", "bystander of iotrace", "empty pair", UNWANTED, 1.05),
    ("--sample-latency=64 ÷ empty pair", "iotrace --sample-latency=64", "empty pair", MAIN, 1.25),
    ("plain ÷ bpftrace histogram", "iotrace --no-files", "bpftrace, histogram", MAIN, 0.28),
    ("plain ÷ strace -c", "iotrace --no-files", "strace -f -c", MAIN, 0.004),
]
# Who does all that another does, and more, takes no less: (less, more). Without times, iotrace has a probe at the return alone,
# and so may take less than an empty pair.
ORDERED = [
    ("empty pair", "floor"),
    ("floor", "floor + task storage"),
    ("floor + task storage", "floor + task storage + switches"),
    ("floor", "iotrace --no-files"),
    ("iotrace --no-latency --no-files", "iotrace --no-files"),
    ("iotrace --sample-latency=64", "iotrace --no-files"),
    ("iotrace --no-files", "iotrace --no-stacks"),
    ("iotrace --no-stacks", "iotrace"),
    ("iotrace", "iotrace --by=process"),
]


def parse_arguments():
    parser = argparse.ArgumentParser(description="Measures what tracing costs.")
    parser.add_argument("--build", default="build", help="where the programs are, and the results go")
    parser.add_argument("--iotrace", help="the iotrace to measure (default: BUILD/iotrace)")
    parser.add_argument("--beside", help="another build's iotrace, measured as well: before and after in one run")
    parser.add_argument("--rounds", type=int, help="rounds, each of which loads each tool anew (default: 21, quick: 9)")
    parser.add_argument("--budget", type=int, help="ms that a phase of a run has (default: 60, quick: 40)")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--only", default="", help="only the tools with one of these words, comma-separated, in their names")
    parser.add_argument("--skip", default="", help="parts to leave out: calls,bystander,switches,process,starting,growth")
    parser.add_argument("-n", type=int, help="lines of endl_loop (default: 20000000, quick: 1000000)")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    args.iotrace = os.path.abspath(args.iotrace or os.path.join(args.build, "iotrace"))
    args.rounds = args.rounds or (9 if args.quick else 21)
    args.budget = args.budget or (40 if args.quick else 60)
    args.n = args.n or (1000000 if args.quick else 20000000)
    args.skip = set(args.skip.split(",")) - {""}
    return args


class Bench:
    """One run: where things are, and what was measured."""

    def __init__(self, args, directory):
        self.args = args
        self.directory = directory
        self.caller = self.program("caller")
        self.result = os.path.join(directory, "result.json")
        self.report = os.path.join(directory, "report.txt")
        self.notes = []
        self.patience = tools.Patience(60)

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)
            print(f"  note: {text}", flush=True)

    def program(self, name):
        return os.path.join(self.args.build, "bench", name)

    def calls(self, phases):
        return [self.caller, "-b", str(self.args.budget), "-d", self.directory, "-r", self.result] + phases

    def measure(self, tool, command):
        """The result of one run of a measuring program under a tool; None if it failed."""
        if tool.failure:
            return None
        if not self.patience.wait_for_quiet():
            self.note("somebody else was tracing meanwhile: what is measured holds their cost too")
        for path in (self.result, self.report):
            if os.path.exists(path):
                os.unlink(path)
        try:
            tool.run(command)
            with open(self.result, encoding="ascii") as file:
                result = json.load(file)
            if tool.group == "iotrace":
                result["lost"] = check_report(self.report, result)
            return result
        except (tools.Failure, subprocess.TimeoutExpired, OSError, ValueError) as error:
            tool.failure = str(error)
            self.note(f"{tool.name} is left out: {error}")
            return None


def check_report(path, result):
    """The calls that iotrace says it lost; raises if it has not counted each write."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    counted = [line.split() for line in lines if line.endswith(" write")]
    lost = [line.rsplit("lost ", 1)[1].split()[0] for line in lines if "; lost " in line]
    if counted and int(counted[0][3]) < result["write"]:
        raise tools.Failure(f"counted {counted[0][3]} of {result['write']} writes")
    return int(lost[0]) if lost else None


class Bystander(tools.Tool):
    """Runs the command untraced while iotrace traces something else, which does nothing meanwhile."""

    def __init__(self, bench, option=None):
        super().__init__(f"bystander of iotrace{' ' + option if option else ''}",
                         "not traced, while iotrace traces another process", group="bystander")
        self.bench, self.options = bench, [option] if option else []

    def run(self, command):
        argv = [self.bench.args.iotrace, "-o", "/dev/null"] + self.options + [self.bench.caller, "-w"]
        traced = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            if traced.stdout.readline() != b"ready\n":
                raise tools.Failure("iotrace did not start")
            subprocess.run(command, stdin=subprocess.DEVNULL, check=True)
        finally:
            traced.stdin.close()
            traced.wait()


def choose_tools(bench):
    args = bench.args
    chosen = [tools.bare()]
    chosen += tools.pairs(bench.program("pair"))
    chosen += tools.iotrace_tools(args.iotrace, bench.report)
    if args.beside:
        chosen += tools.iotrace_tools(os.path.abspath(args.beside), bench.report, " (beside)")
    if "bystander" not in args.skip:
        chosen.append(Bystander(bench))
    others, missing = tools.peers(bench.directory)
    chosen += others
    words = args.only.split(",")

    def wanted(name):
        return any(word in name for word in words)

    for name in filter(wanted, missing):
        bench.note(f"{name} is left out: it is not installed")
    return [tool for tool in chosen if tool.group in ("bare", "pair") or wanted(tool.name)]


def measure_calls(bench, chosen, phases):
    """Rounds of all tools; the order within a round is drawn anew, so that none always follows the same other."""
    runs = {tool.name: [] for tool in chosen}
    for number in range(bench.args.rounds):
        print(f"  round {number + 1} of {bench.args.rounds}", flush=True)
        for tool in random.sample(chosen, len(chosen)):
            runs[tool.name].append(bench.measure(tool, bench.calls(phases)))
    return runs


def summarize_calls(chosen, runs):
    """By phase and tool: what a call took, and what the tool added to it, ns at the run's usual clock frequency; and the
    instructions of these calls, where the CPU counts them."""
    nominal_ns = spread([run["phases"][MAIN]["round_ns"]["median"] for run in runs["bare"] if run])["median"]
    table = {"round_ns": nominal_ns, "phases": {}, "lost": 0}
    for phase in PHASES:
        def figures(tool):
            return [run and run["phases"][phase]["rounds"]["low"] * nominal_ns for run in runs[tool.name]]

        def instructions(tool):
            return [run and run["phases"][phase].get("instructions", {}).get("low") for run in runs[tool.name]]

        bare, bare_instructions = figures(chosen[0]), instructions(chosen[0])
        table["phases"][phase] = {}
        for tool in chosen:
            values = figures(tool)
            table["phases"][phase][tool.name] = {"call": spread(values), "added": added(values, bare),
                                                 "instructions": added(instructions(tool), bare_instructions)}
    table["lost"] = sum(run.get("lost") or 0 for name in runs for run in runs[name] if run)
    return table


def measure_switches(bench):
    """What iotrace adds to each context switch of a process that it does not trace, ns."""
    runs = measure_calls(bench, [tools.bare(), Bystander(bench), Bystander(bench, "--cpu")], [SWITCH])
    ns = {name: [run and run["phases"][SWITCH]["ns"]["low"] for run in of] for name, of in runs.items()}
    return {name: {"switch": spread(values), "added": added(values, ns["bare"])} for name, values in ns.items()}


def before_and_after(calls):
    """What each mode adds, as a ratio to what the build beside it adds."""
    rows = []
    for name in calls["tools"]:
        figures = calls["phases"][MAIN]
        beside = figures.get(name + " (beside)")
        if beside:
            rows.append({"what": name + " ÷ the build beside it", "at_most": None, "met": None,
                         "measured": ratio(figures[name]["added"], beside["added"])})
    return rows


def call_targets(calls):
    rows = before_and_after(calls)
    floor = calls["phases"][MAIN].get("floor", {}).get("added")
    cheap = floor is not None and floor["median"] < report.CHEAP_FLOOR_NS
    for what, a, b, phase, limits in CALL_TARGETS:
        figures = calls["phases"][phase]
        measured = ratio(figures.get(a, {}).get("added"), figures.get(b, {}).get("added"))
        # No latency can be had for less than the floor.
        bound = ratio(figures.get("floor", {}).get("added"), figures.get(b, {}).get("added")) \
            if a in ("iotrace --no-files", "iotrace") else None
        at_most = limits[0 if cheap else 1] if isinstance(limits, tuple) else limits
        rows.append(target(what, measured, at_most, bound=bound))
    return rows


def emulated(build):
    """The instructions that were counted in the emulator, by tool, and on which kernel; None if they were not."""
    try:
        with open(os.path.join(build, "reference-cost.json"), encoding="utf-8") as file:
            return json.load(file)[-1]
    except FileNotFoundError:
        return None


def contradictions(calls):
    """Of what must take less and what must take more: those that were measured the other way round, beyond doubt."""
    figures = calls["phases"][MAIN]
    rows = []
    for less, more in ORDERED:
        by = difference(figures.get(more, {}).get("added"), figures.get(less, {}).get("added"))
        if by and by["high"] < 0:
            rows.append({"less": less, "more": more, "by": by})
    return rows


def main():
    args = parse_arguments()
    if os.geteuid() != 0:
        sys.exit("bench: tracing needs root")
    machine.enter_namespace()
    start = time.monotonic()
    results = {"machine": machine.provenance(args), "targets": [], "notes": []}
    with tempfile.TemporaryDirectory(prefix="iotrace-bench-", dir=args.build) as directory:
        bench = Bench(args, directory)
        chosen = choose_tools(bench)
        if "calls" not in args.skip:
            print("what is added to one write of 4 bytes", flush=True)
            results["calls"] = summarize_calls(chosen, measure_calls(bench, chosen, PHASES))
            results["calls"]["tools"] = {t.name: {"what": t.what, "group": t.group} for t in chosen}
            results["targets"] += call_targets(results["calls"])
            results["contradictions"] = contradictions(results["calls"])
            results["emulated"] = emulated(args.build)
        if "switches" not in args.skip:
            print("context switches", flush=True)
            results["switches"] = measure_switches(bench)
        if "process" not in args.skip:
            print("whole processes", flush=True)
            results["process"] = process.measure_all(bench, chosen)
            results["targets"] += process.targets(results["process"])
        if "starting" not in args.skip:
            print("where the start-up's time goes", flush=True)
            results["starting"] = starting.measure_all(bench)
        if "growth" not in args.skip:
            print("growth", flush=True)
            results["growth"] = growth.measure_all(bench)
            results["targets"] += growth.targets(results["growth"])
        results["notes"] = bench.notes
    results["seconds"] = time.monotonic() - start
    results["plotted"] = plot.write(results, args.build)
    report.write(results, args.build)


if __name__ == "__main__":
    main()
