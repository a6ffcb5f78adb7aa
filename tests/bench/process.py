# SPDX-License-Identifier: GPL-2.0
"""Whole processes: how long a tool takes to start and end, how much memory it takes, and how long a program takes."""

import glob
import json
import os
import random
import subprocess

import machine
import tools
from stats import ratio, spread, target

# Targets: what, of which tool, which figure, upper limit.
TARGETS = [
    ("iotrace -- true, ms", "iotrace", "ms", 35),
    ("iotrace --no-files -- true, ms", "iotrace --no-files", "ms", 20),
    ("iotrace -- true, peak MiB", "iotrace", "mib", 20),
]
STARTS = 2  # Starts in a round. A start is short.


def measure(bench, tool, command):
    """What the stopwatch says of the command under the tool; None if that fails."""
    if tool.failure or tool.attach:
        return None
    bench.patience.wait_for_quiet()
    argv = [bench.program("stopwatch"), bench.result] + tool.whole(command)
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          timeout=tools.TIMEOUT_S, check=False)
    with open(bench.result, encoding="ascii") as file:
        result = json.load(file)
    return None if done.returncode or result["status"] else result


def measure_rounds(bench, chosen, rounds, command):
    """What the stopwatch says of the command under each tool, whose order is drawn anew in each round."""
    runs = {tool.name: [] for tool in chosen}
    for _ in range(rounds):
        for tool in random.sample(chosen, len(chosen)):
            runs[tool.name].append(measure(bench, tool, command))
    return runs


def measure_starts(bench, chosen):
    """What starting and ending each tool takes, with `true` as its command."""
    runs = measure_rounds(bench, chosen, STARTS * bench.args.rounds, ["true"])
    return {name: {"ms": spread([run and run["ns"] / 1e6 for run in results]),
                   "mib": spread([run and run["max_rss_kib"] / 1024 for run in results])}
            for name, results in runs.items() if any(results)}


def kernel_memory(bench, argv):
    """KiB of the maps of a running iotrace, as the kernel counts them in its descriptors' fdinfo."""
    traced = subprocess.Popen(argv + [bench.caller, "-w"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    total = 0
    try:
        traced.stdout.readline()
        for path in glob.glob(f"/proc/{traced.pid}/fdinfo/*"):
            if machine.first_match(path, r"^map_id:\s*(\d+)"):
                total += int(machine.first_match(path, r"^memlock:\s*(\d+)") or 0)
    finally:
        traced.stdin.close()
        traced.wait()
    return total / 1024


def measure_loop(bench, chosen):
    """Seconds that endl_loop takes under each tool."""
    loop = os.path.join("workloads", "endl_loop")
    runs = measure_rounds(bench, chosen, 3, [loop, "-n", str(bench.args.n)])
    seconds = {name: spread([run and run["ns"] / 1e9 for run in results]) for name, results in runs.items() if any(results)}
    return {"n": bench.args.n, "seconds": seconds,
            "ratio": {name: ratio(values, seconds.get("bare")) for name, values in seconds.items()}}


def measure_all(bench, chosen):
    modes = tools.iotrace_modes(bench.args.iotrace, "/dev/null")
    modes["iotrace --no-files -e trace=all"] = modes["iotrace --no-files"] + ["-e", "trace=all"]
    fast = [tool for tool in chosen if tool.name in ("bare", "iotrace --no-latency --no-files", "iotrace --no-files", "iotrace")]
    return {
        "starts": measure_starts(bench, [tool for tool in chosen if tool.group != "bystander"]),
        "kernel_kib": {name: kernel_memory(bench, argv) for name, argv in modes.items() if "strace" not in name},
        "loop": measure_loop(bench, fast),
    }


def targets(results):
    rows = []
    floor = results["starts"].get("empty pair")
    for what, tool, key, at_most in TARGETS:
        own = results["starts"].get(tool)
        rows.append(target(what, own and own[key], at_most, bound=floor and floor[key]))
    return rows
