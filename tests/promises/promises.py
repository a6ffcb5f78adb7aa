#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Are iotrace's promises true? Runs the programs of tests/promises/programs as they are and as mended, bare and under
iotrace, and holds what it promised against what came out. Writes BUILD/promises.json and .md. Run it as root, where tests/
is; README.md in tests/promises says how the programs are laid out, and how another tool is scored."""

import argparse
import hashlib
import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import score

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
UNSEEN = os.path.join(HERE, "unseen")
# Groups of programs. A third, drawn by this seed, is held out: nobody looks at these when a rule is changed. The unseen ones are
# by an author who has not read the rules.
SEED = "2026-11-29"
KNOWN, HELD_OUT, BY_OTHERS = GROUPS = ("known", "held out", "unseen")
TIMEOUT = 120  # Seconds that a run may take.
# The caller's settings may not change how a program buffers.
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
# Commands that build and run a source, by its extension: {src} is its path, {bin} where the built program goes.
LANGUAGES = {
    "c": ("cc -O2 -pthread -o {bin} {src}", "{bin}"),
    "cpp": ("c++ -O2 -pthread -o {bin} {src}", "{bin}"),
    "go": ("HOME=$PWD GO111MODULE=off go build -o {bin} {src}", "{bin}"),
    "rs": ("rustc -O -o {bin} {src}", "{bin}"),
    "java": ("javac -d {bin} {src}", "java -cp {bin} program"),
    "py": (None, "python3 {src}"),
    "pl": (None, "perl {src}"),
    "php": (None, "php {src}"),
    "lua": (None, "lua5.4 {src}"),
    "rb": (None, "ruby {src}"),
    "sh": (None, "bash {src}"),
    "js": (None, "node {src}"),
}
MARK = "IOTRACE_PROMISES_NAMESPACE"


def say(text):
    print(text, file=sys.stderr, flush=True)


def is_held_out(name):
    return hashlib.sha256((SEED + name).encode()).digest()[0] % 3 == 0


class Program:
    def __init__(self, name, where=PROGRAMS):
        self.name = name
        self.group = BY_OTHERS if where == UNSEEN else HELD_OUT if is_held_out(name) else KNOWN
        folder = os.path.join(where, name)
        with open(os.path.join(folder, "truth.json"), encoding="utf-8") as file:
            self.truth = json.load(file)
        sources = [entry for entry in os.listdir(folder) if entry.startswith("program.")]
        self.source = os.path.join(folder, sources[0]) if sources else None
        self.program = None

    def build(self, folder):
        if not self.source:
            return
        how, run = LANGUAGES[self.source.rpartition(".")[2]]
        words = {"src": shlex.quote(self.source), "bin": shlex.quote(os.path.join(folder, self.name))}
        target = os.path.join(folder, self.name)
        if how and not (os.path.exists(target) and os.path.getmtime(target) > os.path.getmtime(self.source)):
            subprocess.run(how.format(**words), shell=True, cwd=folder, env=ENVIRONMENT, check=True)
        self.program = run.format(**words)

    def command(self, way):
        """Shell command. way is "bad" or "good"; a program with nothing to win has one command alone."""
        text = self.truth.get("run") or self.truth.get(way) or f"$P {way}"
        return text.replace("$P", self.program or "")


class Place:
    """A folder on a file system, where programs run."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder

    def enter(self, program):
        """Makes the folder for a program, empty but for what the program's preparation makes."""
        folder = os.path.join(self.folder, program.name)
        self.leave(program)
        os.makedirs(folder)
        if "prepare" in program.truth:
            subprocess.run(program.truth["prepare"], shell=True, cwd=folder, env=ENVIRONMENT, check=True)
        os.sync()  # The program is not to wait for what was written before.
        return folder

    def leave(self, program):
        shutil.rmtree(os.path.join(self.folder, program.name), ignore_errors=True)


def run(argv, folder):
    """Runs a command in a session of its own. Returns its wall time and its CPU time, in seconds."""
    with open(os.devnull, "r+", encoding="ascii") as null:
        start = time.monotonic()
        process = subprocess.Popen(argv, cwd=folder, env=ENVIRONMENT, stdin=null, stdout=null, stderr=null, start_new_session=True)
        # Popen.wait() with a timeout looks only every 50 ms. The pid stays the process's until wait4() has it.
        alarm = threading.Timer(TIMEOUT, os.killpg, (process.pid, signal.SIGKILL))
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        took = time.monotonic() - start
        alarm.cancel()
        alarm.join()
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, argv)
    return took, usage.ru_utime + usage.ru_stime


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def interval(range_):
    return [range_["low"], range_["high"]] if range_ else None


def promises_of(report):
    """A finding that is no more than information promises nothing."""
    return [{
        "what": finding["id"],
        "file": finding["path"],
        "severity": finding["severity"],
        "calls": finding["calls"],
        "remaining": finding.get("predicted_calls"),
        "syscall_ns": interval(finding.get("predicted_saving_ns")),
        "wall_ns": interval(finding.get("predicted_wall_saving_ns")),
        "cpu_ns": interval(finding.get("predicted_cpu_saving_ns")),
        "share": interval(finding.get("predicted_share")),
        "reason": finding.get("reason"),
    } for finding in report["findings"] if finding["severity"] != "info"]


def calls_of(report):
    return (sum(row["calls"] for row in report["syscalls"]), sum(row.get("total_ns") or 0 for row in report["syscalls"]) / 1e9)


def under_iotrace(args, command, folder):
    """What iotrace promises, and the calls and their seconds that it counted."""
    path = os.path.join(args.work, "capture.json")
    run([args.iotrace, "-q", "--format=json", "-o", path, *args.options, "--", "sh", "-c", command], folder)
    report = read_json(path)
    return promises_of(report), *calls_of(report)


def under_tool(args, command, folder):
    """What another tool promises, without calls and seconds."""
    path = os.path.join(args.work, "tool.json")
    run([*args.tool, path, command], folder)
    return read_json(path), None, None


def measure(args, program, place):
    """One round of a program."""
    ways = ["bad", "good"] if program.truth["wins"] else ["bad"]
    under = under_tool if args.tool else under_iotrace
    bare = {way: run(["sh", "-c", program.command(way)], place.enter(program)) for way in random.sample(ways, len(ways))}
    said = {way: under(args, program.command(way), place.enter(program)) for way in ways}
    place.leave(program)
    return {
        "wall_s": [bare[way][0] for way in ways],
        "cpu_s": [bare[way][1] for way in ways],
        "promises": said["bad"][0],
        "left": said["good"][0] if "good" in said else [],
        "calls": [said[way][1] for way in ways],
        "syscall_s": [said[way][2] for way in ways],
    }


def enter_namespace():
    """Enters a mount namespace of its own, for the file system in memory."""
    if os.environ.get(MARK):
        return
    argv = ["unshare", "-m", "--propagation", "private", sys.executable, "-B", *sys.argv]
    os.execvpe(argv[0], argv, dict(os.environ, **{MARK: "1"}))


def places_of(args):
    places = []
    for name in args.on:
        folder = os.path.join(args.work, name)
        os.makedirs(folder, exist_ok=True)
        if name == "memory":
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512m", "tmpfs", folder], check=True)
        places.append(Place(name, folder))
    return places


def seconds(value):
    return f"{value * 1e3:,.0f} ms" if value < 1 else f"{value:.2f} s"


def span(interval_ns):
    return f"{interval_ns[0] / 1e6:,.0f} to {interval_ns[1] / 1e6:,.0f}" if interval_ns else "–"


def line(name, place, judged, rounds):
    last = rounds[-1]
    first = last["promises"][0] if last["promises"] else None
    calls = f"{last['calls'][0]:,} → {last['calls'][1]:,}" if judged["wins"] and not None in last["calls"] else "–"
    left = f"{first['calls']:,} → {first['remaining']:,}" if first and first["remaining"] is not None else "–"
    bad = [word for word in ("false", "missed", "twice", "wide") if judged[word]]
    return [name, place, seconds(judged["wall_s"]), f"{judged['gain_s'] * 1e3:,.0f}" if judged["wins"] else "0",
            f"{100 * judged['share']:.0f} %", span(score.total(last["promises"], "wall_ns")), calls, left,
            "; ".join(f"{p['severity']}: {p['what']}" for p in last["promises"]) or "–", str(judged["told"]),
            f"{judged['held']} of {judged['rounds']}" if judged["wins"] else "–", " ".join(bad)]


HEADS = ["program", "on", "wall time", "gain, ms", "share", "promised, ms", "calls", "promised", "findings", "told", "held", ""]


def table(heads, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---"] * len(heads), *rows]) + "\n"


HABITS = ["habit", "programs", "mending gains, of the run", "not found", "told twice", "interval held"]
NONE = "none"


def habit_line(habit, pairs, judged):
    """The row of all programs that have a habit, or none."""
    sums = score.add_up(judged)
    names = str(len({program.name for program, _ in pairs}))
    if habit == NONE:
        return [habit, names, f"0 %; promised something: {sums['false']}", "–", "–", "–"]
    shares = [100 * one["share"] for one in judged]
    return [f"`{habit}`", names, f"{min(shares):.0f} to {max(shares):.0f} %", str(sums["missed"]), str(sums["twice"]),
            f"{sums['held']} of {sums['promised']} rounds" if sums["promised"] else "–"]


def by_habit(pairs, judged):
    groups = {}
    for pair, one in zip(pairs, judged):
        groups.setdefault(pair[0].truth.get("finding", NONE), []).append((pair, one))
    order = sorted(groups, key=lambda habit: (habit == NONE, -len(groups[habit]), habit))
    return table(HABITS, [habit_line(habit, *zip(*groups[habit])) for habit in order])


def last_line(sums):
    return (f"{sums['programs']} programs, {sums['without a gain']} of them with nothing to win: {sums['false']} false promises, "
            f"{sums['missed']} gains missed, {sums['twice']} causes told twice, {sums['wide']} intervals too wide; "
            f"the interval held in {sums['held']} of {sums['promised']} rounds")


GROUP_HEADS = ["programs", "number", "nothing to win", "false", "missed", "twice", "wide", "interval held"]


def group_line(name, judged):
    sums = score.add_up(judged)
    return [name, *(str(sums[key]) for key in ("programs", "without a gain", "false", "missed", "twice", "wide")),
            f"{sums['held']} of {sums['promised']} rounds"]


def by_group(pairs, judged):
    """The sums of each group that was run."""
    rows = []
    for name in GROUPS:
        of = [one for pair, one in zip(pairs, judged) if pair[0].group == name]
        if of:
            rows.append(group_line(name, of))
    return table(GROUP_HEADS, rows)


def all_programs(only, groups):
    """The programs of these groups whose names have one of these words."""
    # All unseen ones may have been looked at by now.
    folders = [where for where in (PROGRAMS, UNSEEN) if os.path.isdir(where)]
    programs = [Program(name, where) for where in folders for name in sorted(os.listdir(where))]
    return [program for program in programs if program.group in groups and any(word in program.name for word in only)]


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build", help="where iotrace is, and the results go (default: build)")
    parser.add_argument("--rounds", type=int, default=5, help="(default: 5)")
    parser.add_argument("--on", default="disk,memory", help="where the programs run: on the build folder's file system, and in "
                        "memory (default: %(default)s)")
    parser.add_argument("--only", default="", help="only programs with one of these words, comma-separated, in their names")
    parser.add_argument("--group", action="append", choices=GROUPS, help="only this group of programs (may be given again)")
    parser.add_argument("--options", default="", help="options for iotrace; by default it has none")
    parser.add_argument("--tool", default="", help="score this command instead: it is given a file to write its promises to, and a "
                        "command of the shell")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    args.work = os.path.join(args.build, "promises")
    args.iotrace = os.path.join(args.build, "iotrace")
    args.on = args.on.split(",")
    for name in args.on:
        if name not in ("disk", "memory"):
            parser.error(f"--on {name}: there are disk and memory")
    if not 1 <= args.rounds <= 1000:
        parser.error(f"--rounds {args.rounds}: from 1 to 1000")
    args.options, args.tool = shlex.split(args.options), shlex.split(args.tool)
    return args


def key(pair):
    program, place = pair
    return program.name, place.name


def measure_all(args, pairs):
    """The rounds of each pair of a program and a place, by their names, and whether a program failed, which ends the run."""
    start, rounds = time.monotonic(), {}
    for number in range(args.rounds):
        say(f"round {number + 1} of {args.rounds}, after {time.monotonic() - start:.0f} s")
        for pair in random.sample(pairs, len(pairs)):
            try:
                rounds.setdefault(key(pair), []).append(measure(args, *pair))
            except (OSError, ValueError, subprocess.CalledProcessError) as error:
                say(f"promises: {pair[0].name} on {pair[1].name}: {error}")
                return {names: of for names, of in rounds.items() if of}, True
    return rounds, False


def main():
    args = parse()
    words = args.only.split(",")
    programs = all_programs(words, args.group or GROUPS)
    if not programs:
        say(f"promises: --only {args.only}: no program has such a name")
        return 2
    enter_namespace()
    binaries = os.path.join(args.work, "bin")
    os.makedirs(binaries, exist_ok=True)
    for program in programs:
        program.build(binaries)
    places = places_of(args)
    pairs = [(program, place) for program in programs for place in places
             if place.name in program.truth.get("on", place.name)]
    rounds, failed = measure_all(args, pairs)
    pairs = [pair for pair in pairs if key(pair) in rounds]
    judged, rows = [], []
    for pair in pairs:
        of = rounds[key(pair)]
        judged.append(score.judge(pair[0].truth, of))
        rows.append(line(*key(pair), judged[-1], of))
    text = "\n".join([by_group(pairs, judged), table(HEADS, rows), by_habit(pairs, judged),
                      last_line(score.add_up(judged)) + "\n"])
    with open(os.path.join(args.build, "promises.md"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(args.build, "promises.json"), "w", encoding="utf-8") as file:
        json.dump([{"program": pair[0].name, "group": pair[0].group, "on": pair[1].name, "judged": one, "rounds": rounds[key(pair)]}
                   for pair, one in zip(pairs, judged)], file, indent=1)
    print(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
