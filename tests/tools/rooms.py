#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks from the includes that src/ is the pipeline that src/README.md's table shows, where a folder may use those named here
and no others; and from the symbols in the objects below the folder that it is given, which `make objects` builds, that no
file of src/ uses one that leads back to it. Prints what is wrong, a line each; the exit status is 1 if anything is.

rooms.py build/obj"""
import glob
import os
import re
import subprocess
import sys

from complaints import end_with

USES = {
    "cli": {"report", "trace", "stacks", "model", "base"},
    "report": {"model", "base"},
    "trace": {"model", "base"},
    "stacks": {"base"},
    "trace/bpf": {"trace/bpf/doctor", "trace/bpf/load", "trace/bpf/read", "trace/bpf/stacks", "trace", "model", "base"},
    "trace/bpf/stacks": {"trace/bpf/load", "stacks", "trace", "model", "base"},
    "trace/bpf/read": {"trace/bpf/load", "trace", "model", "base"},
    "trace/bpf/load": {"trace/bpf/start", "trace/bpf/doctor", "trace", "model", "base"},
    "trace/bpf/doctor": {"trace", "model", "base"},
    "trace/bpf/start": {"base"},
    "trace/strace": {"trace", "model", "base"},
    "model": {"model/rules", "base"},
    "model/rules": {"model", "base"},
    "base": set(),
}
# These rooms may include the contract with the probes, bpf/iotrace.h.
PROBES = {"model", "model/rules", "trace", "trace/bpf", "trace/bpf/load", "trace/bpf/read", "trace/bpf/stacks", "trace/strace", "stacks"}
SKELETON = {"trace/bpf", "trace/bpf/load", "trace/bpf/read", "trace/bpf/stacks"}
# What is built instead of others, where a library is missing.
INSTEAD = {"cli/without_libdw", "trace/bpf/stacks/without_libdw"}
# A file of these rooms includes no file of its room that leads back to it.
STRAIGHT = ["base", "cli", "report", "stacks", "trace", "trace/bpf/start", "trace/bpf/doctor", "trace/bpf/read",
            "trace/bpf/stacks"]


def includes(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = re.match(r'#include "([^"]+)"', line)
            if found:
                yield number, found.group(1)


def wrong(room, included):
    """Why a file of this room may not include this; None if it may."""
    if included.endswith(".skel.h"):
        return None if room in SKELETON else "only what loads and reads the probes may use the skeleton"
    if included.startswith("bpf/"):
        return None if room in PROBES else "it knows nothing of the probes"
    of = os.path.dirname(included)
    if of not in USES:
        return "headers are named from src/: #include \"base/text.h\""
    if of == room or of in USES[room]:
        return None
    return f"{room} may not use {of}"


def leads_to(module, wanted, used, seen):
    """The way from a module, a .c file with its .h, to another one by their includes. []: there is none."""
    for next_one in sorted(used.get(module, ())):
        if next_one == wanted:
            return [module, wanted]
        if next_one not in seen:
            seen.add(next_one)
            way = leads_to(next_one, wanted, used, seen)
            if way:
                return [module, *way]
    return []


def by_includes():
    """What each module, a .c file with its .h, includes."""
    used = {}
    for room in STRAIGHT:
        for path in glob.glob(f"src/{room}/*.[ch]"):
            module = os.path.splitext(os.path.relpath(path, "src"))[0]
            used.setdefault(module, set()).update(os.path.splitext(header)[0] for _, header in includes(path))
            used[module].discard(module)
    return used


def by_symbols(objects):
    """The modules whose functions and variables each module uses."""
    owner, needs = {}, {}
    for path in glob.glob("src/**/*.c", recursive=True):
        module = os.path.splitext(os.path.relpath(path, "src"))[0]
        if module in INSTEAD:
            continue
        symbols = subprocess.run(["nm", "--format=posix", os.path.join(objects, "src", module + ".o")], check=True,
                                 capture_output=True, encoding="utf-8").stdout
        needs[module] = set()
        for name, kind in (line.split()[:2] for line in symbols.splitlines()):
            if kind == "U":
                needs[module].add(name)
            elif kind.isupper():
                owner[name] = module
    return {module: {owner[name] for name in names if name in owner} for module, names in needs.items()}


def circles(used):
    """The circles, each once, wherever it is entered."""
    ways = [leads_to(module, module, used, set()) for module in sorted(used)]
    return {frozenset(way): way for way in ways if way}.values()


def complaints():
    for how, used in ("include", by_includes()), ("use", by_symbols(sys.argv[1])):
        for way in circles(used):
            yield f"src: files {how} each other: " + " -> ".join(way)
    for folder, _, names in sorted(os.walk("src")):
        room = os.path.relpath(folder, "src")
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.endswith((".c", ".h")):
                continue
            if room not in USES:
                yield f"{path}: src/{room} is no room of the house"
                continue
            for number, included in includes(path):
                why = wrong(room, included)
                if why:
                    yield f"{path}:{number}: {included}: {why}"


end_with(complaints())
