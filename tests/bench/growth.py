# SPDX-License-Identifier: GPL-2.0
"""How what is added to a call grows: with threads, traced processes, files, and the syscalls that are selected."""

import os
import random
import subprocess

import machine
import tools
from stats import added, exactly, ratio, spread, target

GROWTH_TARGET = 1.10
GROUPS_TARGET = 1.03
SETS = ["write", "write,writev,openat,close", "%desc", "all"]
# Room for a file of 4 bytes, which takes a page, its inode and its name.
FILE_KIB = 8
# So many processes take seconds to start and to end, and get fewer rounds.
MANY = 10000
MANY_ROUNDS = 9


class Series:
    """One thing that grows. points has the labels; runs has, by tool and point, the rounds of the reference loop that a
    call took."""

    def __init__(self, title, unit, points, names):
        self.title, self.unit, self.points = title, unit, points
        self.runs = {name: {point: [] for point in points} for name in names}
        self.round_ns = []
        self.lost = 0

    def add(self, name, point, result, share="low"):
        """Adds a result, {"rounds", "round_ns"} or None."""
        self.runs[name][point].append(result and result["rounds"][share])
        if result:
            self.round_ns.append(result["round_ns"]["median"])
            self.lost += result.get("lost") or 0

    def summary(self):
        nominal = spread(self.round_ns)
        if not nominal:
            return None
        ns = {name: {point: [value and value * nominal["median"] for value in values]
                     for point, values in by_point.items()} for name, by_point in self.runs.items()}
        rows = []
        for point in self.points:
            row = {"point": point}
            for name, by_point in ns.items():
                row[name] = {"call": spread(by_point[point])}
                if name != "bare":
                    row[name]["added"] = added(by_point[point], ns["bare"].get(point, ns["bare"][self.points[0]]))
            rows.append(row)
        return {"title": self.title, "unit": self.unit, "rows": rows, "lost": self.lost}


def iotrace_tools(bench, names=("iotrace --no-files", "iotrace")):
    return [tools.bare()] + [tool for tool in tools.iotrace_tools(bench.args.iotrace, bench.report) if tool.name in names]


def of_threads(bench, rounds):
    points = [1, 2, 4, 8, 16] if bench.args.quick else [1, 2, 4, 8, 16, 32, 64]
    chosen = iotrace_tools(bench)
    series = Series("Threads", "threads", points, [tool.name for tool in chosen])
    for _ in range(rounds):
        for tool in random.sample(chosen, len(chosen)):
            result = bench.measure(tool, bench.calls([f"null:{point}:write" for point in points]))
            for point in points:
                series.add(tool.name, point, result and dict(result["phases"][f"null:{point}:write"]))
            series.lost += (result or {}).get("lost") or 0
    return series


def of_processes(bench, rounds):
    points = [1, 10, 100, 1000] if bench.args.quick else [1, 10, 100, 1000, 10000]
    chosen = iotrace_tools(bench, ("iotrace --no-files", "iotrace", "iotrace --by=process"))
    series = Series("Traced processes, in turns", "processes", points, [tool.name for tool in chosen])
    for number in range(rounds):
        for point in points:
            if point >= MANY and number >= MANY_ROUNDS:
                continue
            for tool in random.sample(chosen, len(chosen)):
                command = [bench.program("crowd"), "-n", str(point), "-r", bench.result]
                series.add(tool.name, point, bench.measure(tool, command))
    return series


def of_files(bench, rounds):
    points = [1, 100, 10000] if bench.args.quick else [1, 100, 10000, 100000, 1000000]
    room_kib = int(machine.first_match("/proc/meminfo", r"^MemAvailable:\s*(\d+)") or 0)
    possible = [point for point in points if point * FILE_KIB < room_kib * 0.8]
    if possible != points:
        bench.note(f"more than {possible[-1]:,} files are left out: they would need more memory than there is")
    directory = os.path.join(bench.directory, "files")
    os.mkdir(directory)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=90%,nr_inodes=0", "tmpfs", directory],
                             check=False).returncode == 0
    chosen = iotrace_tools(bench)
    series = Series("Files, opened, written to and closed", "files", possible, [tool.name for tool in chosen])
    try:
        filer = [bench.program("filer"), "-d", directory]
        subprocess.run(filer + ["-m", "-n", str(possible[-1])], check=True)
        for _ in range(rounds):
            for point in possible:
                for tool in random.sample(chosen, len(chosen)):
                    series.add(tool.name, point, bench.measure(tool, filer + ["-n", str(point), "-r", bench.result]))
    finally:
        if mounted:
            subprocess.run(["umount", directory], check=False)
    return series


def of_sets(bench, rounds):
    """How the cost grows with the syscalls that are selected. Bare is the same for all of them."""
    chosen = {}
    for expression in SETS:
        for tool in iotrace_tools(bench, ("iotrace --no-files",))[1:]:
            tool.argv = tool.argv + ["-e", "trace=" + expression]
            chosen[expression] = tool
    series = Series("Syscalls selected", "", SETS, ["bare", "iotrace --no-files"])
    bare = tools.bare()
    for _ in range(rounds):
        result = bench.measure(bare, bench.calls(["null:1:write"]))
        for expression in random.sample(SETS, len(SETS)):
            series.add("bare", expression, result and result["phases"]["null:1:write"])
            traced = bench.measure(chosen[expression], bench.calls(["null:1:write"]))
            series.add("iotrace --no-files", expression, traced and dict(traced["phases"]["null:1:write"], lost=traced["lost"]))
    return series


def measure_all(bench):
    parts = {"threads": (of_threads, 9, 9), "processes": (of_processes, 9, 11), "files": (of_files, 9, 9),
             "sets": (of_sets, 9, 15)}
    results = {}
    for name, (part, quick, full) in parts.items():
        print(f"  {name}", flush=True)
        series = part(bench, quick if bench.args.quick else full).summary()
        if series:
            results[name] = series
    return results


def targets(results):
    """Targets of the processes. The cost of a traced call is one besides what is added to it, as a program notices the
    whole cost."""
    rows = results.get("processes", {}).get("rows", [])
    first, last = (rows[0], rows[-1]) if rows else ({}, {})
    lost = sum(series["lost"] for series in results.values())
    out = []
    for key, what in (("call", "a traced call"), ("added", "what is added")):
        measured = ratio(last.get("iotrace --no-files", {}).get(key), first.get("iotrace --no-files", {}).get(key))
        out.append(target(f"{what} at {last.get('point', 0):,} processes ÷ at 1", measured, GROWTH_TARGET))
    for row in (first, last):
        measured = ratio(row.get("iotrace --by=process", {}).get("added"), row.get("iotrace", {}).get("added"))
        out.append(target(f"groups at {row.get('point', 0):,} processes: with ÷ without", measured, GROUPS_TARGET))
    out.append(target("calls lost, in all of growth", exactly(lost), 0))
    return out
