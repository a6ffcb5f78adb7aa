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


def inside(events, words=None):
    """ns in bpf(2), of all kinds of calls or of these."""
    return sum(end - start for what, _, start, end in events if words is None or what in words)


def parts(own, command, spawned, reaped):
    """What each part took, ns, in the order of time; together they are all of it.

    own and command: the events of iotrace and of its command. The programs' loads are the verifier's and the JIT
    compiler's; what is between the last map and the first of them is libbpf's, which fits the programs to the kernel.
    """
    began, ended = next(event[2:] for event in own if event[0] == "all")
    command_began, command_ended = next(event[2:] for event in command if event[0] == "all")
    calls = [event for event in own if event[0] != "all"]
    before = [event for event in calls if event[2] < command_began]
    after = [event for event in calls if event[2] >= command_ended]
    # libbpf makes maps and programs of its own before, to find out what the kernel can do.
    maps = [event for event in before if event[0] == "map" and not event[1].startswith(("libbpf", "-"))]
    first_map, last_map = maps[0][2], maps[-1][3]
    loads = [event for event in before if event[0] == "load" and event[2] > last_map]
    first_load, last_load = loads[0][2], loads[-1][3]
    between = [event for event in before if first_map <= event[2] < first_load]
    late = [event for event in before if event[2] >= last_load]
    last_read = max([event[3] for event in after] + [command_ended])
    result = {
        "the process starts, its libraries are linked": began - spawned,
        "options, the probes' ELF file, the kernel's BTF": first_map - began,
        "maps are made": inside(between, ("map",)),
        "libbpf fits the probes to the kernel": first_load - first_map - inside(between, ("map",)),
    }
    for _, name, start, end in loads:
        result[f"load of {name}"] = result.get(f"load of {name}", 0) + end - start
    result.update({
        "libbpf between the loads": last_load - first_load - inside(loads),
        "attach": inside(late, ("attach",)),
        "iterators run, the command is forked and started": command_began - last_load - inside(late, ("attach",)),
        "the command runs": command_ended - command_began,
        "the command ends, the counts are read": last_read - command_ended,
        "the report is written": ended - last_read,
        "probes, maps and memory are given back": reaped - ended,
    })
    return result


def measure(bench, argv):
    """One run's parts, ns; None if it failed."""
    log = os.path.join(bench.directory, "starting.log")
    if os.path.exists(log):
        os.unlink(log)
    environment = dict(os.environ, LD_PRELOAD=bench.program("starting.so"), STARTING_LOG=log)
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
    return parts(processes["iotrace"], processes[COMMAND], spawned, reaped)


def measure_all(bench):
    """By mode and part: the spread of ms."""
    argv = [bench.args.iotrace, "-o", "/dev/null"]
    modes = {"iotrace": argv, "iotrace --no-files": argv + ["--no-files"]}
    runs = {name: [] for name in modes}
    for _ in range(2 * bench.args.rounds):
        for name in random.sample(list(modes), len(modes)):
            runs[name].append(measure(bench, modes[name]))
    result = {}
    for name, found in runs.items():
        there = [run for run in found if run]
        result[name] = {part: spread([run.get(part, 0) / 1e6 for run in there]) for part in (there[0] if there else ())}
    return result
