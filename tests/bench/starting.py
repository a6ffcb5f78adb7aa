# SPDX-License-Identifier: GPL-2.0
"""`iotrace -- true` by part: what its start and its end consist of, as starting.c tells it."""

import os
import random
import subprocess
import time

from stats import spread

COMMAND = "true"


def read_log(text):
    """The events of each process: (what, name, start, end), in ns, in their order."""
    processes = {}
    for line in text.splitlines():
        process, what, name, start, end = line.split()
        processes.setdefault(process, []).append((what, name, int(start), int(end)))
    return processes


def parts(own, command, spawned, reaped):
    """What each part took, in ns and in the order of time. The parts make up the whole run.

    own has the events of iotrace, command those of its command. While the large maps are made, the kernel's types are read
    on another CPU; what is between the last map and the first load is libbpf's, which fits the programs to the kernel.
    """
    began, ended = next(event[2:] for event in own if event[0] == "all")
    command_began, command_ended = next(event[2:] for event in command if event[0] == "all")
    before = [event for event in own if event[0] != "all" and event[2] < command_began]
    # libbpf makes maps and programs of its own before, to find out what the kernel can do.
    maps = [event for event in before if event[0] == "map" and not event[1].startswith(("libbpf", "-"))]
    maps_began, maps_ended = min(event[2] for event in maps), max(event[3] for event in maps)
    loads = own_loads(own, maps_ended)
    loads_began, loads_ended = min(event[2] for event in loads), max(event[3] for event in loads)
    attached = max(event[3] for event in before if event[0] == "attach")
    reads = [event[3] for event in own if event[0] != "all" and event[2] >= command_ended]
    last_read = max(reads + [command_ended])
    return {
        "the process starts, its libraries are linked": began - spawned,
        "options, the probes' ELF file": maps_began - began,
        "maps are made, the kernel's types are read": maps_ended - maps_began,
        "libbpf fits the probes to the kernel": loads_began - maps_ended,
        "the probes are loaded": loads_ended - loads_began,
        "they are tried, and attached": attached - loads_ended,
        "the command is started": command_began - attached,
        "the command runs": command_ended - command_began,
        "the command ends, the counts are read": last_read - command_ended,
        "the report is written": ended - last_read,
        "probes, maps and memory are given back": reaped - ended,
    }


def own_loads(own, since):
    return [event for event in own if event[0] == "load" and event[2] >= since]


def loads(own):
    """What each program's load took, in ns: the verifier's and the JIT compiler's time. Large programs are loaded beside
    others."""
    last_map = max(end for what, _, _, end in own if what == "map")
    return {name: end - start for _, name, start, end in own_loads(own, last_map) if not name.startswith(("-", "stand_in"))}


def measure(bench, argv, plain):
    """The parts and loads of one run, in ns; None if it failed."""
    log = os.path.join(bench.directory, "starting.log")
    if os.path.exists(log):
        os.unlink(log)
    environment = dict(os.environ, LD_PRELOAD=bench.program("starting.so"), STARTING_LOG=log, IOTRACE_PLAIN_START=plain)
    bench.patience.wait_for_quiet()
    spawned = time.monotonic_ns()
    # With a time limit, Python would look at the process from time to time only.
    done = subprocess.run(argv + ["--", COMMAND], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    reaped = time.monotonic_ns()
    if done.returncode:
        return None
    with open(log, encoding="ascii") as file:
        processes = read_log(file.read())
    return {"parts": parts(processes["iotrace"], processes[COMMAND], spawned, reaped),
            "loads": loads(processes["iotrace"])}


def measure_all(bench):
    """By what is drawn (parts, loads), mode, and part or program: the spread of ms."""
    argv = [bench.args.iotrace, "-o", "/dev/null"]
    modes = {"iotrace": (argv, "0"), "the same, plain start": (argv, "1"),
             "iotrace --no-files": (argv + ["--no-files"], "0"), "--no-files, plain start": (argv + ["--no-files"], "1")}
    runs = {name: [] for name in modes}
    for _ in range(2 * bench.args.rounds):
        for name in random.sample(list(modes), len(modes)):
            runs[name].append(measure(bench, *modes[name]))
    return {what: {name: spreads([run[what] for run in found if run]) for name, found in runs.items()}
            for what in ("parts", "loads")}


def spreads(runs):
    return {part: spread([run.get(part, 0) / 1e6 for run in runs]) for part in (runs[0] if runs else ())}
