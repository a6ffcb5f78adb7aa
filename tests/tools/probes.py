#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks the headers of the probes: each includes itself all of those whose names it uses, and no others, and their folders
stand in layers. Prints what is wrong, a line each; the exit status is 1 if anything is."""
import pathlib
import re

from complaints import code, end_with

PROBES = pathlib.Path("bpf")
# Folders from the ground up: a header includes only headers of its own folder and of those before it. "." is bpf/ itself.
LAYERS = ["kernel", "cells", "tasks", "groups", "stacks", "files", "."]
TYPES = "kernel/kernel.bpf.h"  # This header has the kernel's types, which each header uses.
PROGRAM = "iotrace.bpf.c"      # This is no header: it includes the programs last, in the order of loading.
DEFINITIONS = [
    r"^#\s*define\s+(\w+)",
    r"^(?:static\s|__noinline\s|int\s)[^;={]*?(\w+)\s*\(",
    r"^(?:const volatile |static const )?(?:struct )?\w+ (\w+)(?:\[[^\]]*\])?\s*[=;]",
    r"(\w+) SEC\(\"\.maps\"\)",
    r"^(?:struct|enum) (\w+) \{",
    r"^\t([A-Z]\w+)(?: = [^,]+)?,",  # This is a value of an enumeration.
]


def layer(name):
    return LAYERS.index(str(pathlib.PurePath(name).parent))


def complaints():
    text = {str(path.relative_to(PROBES)): code(path) for path in sorted(PROBES.rglob("*.bpf.[ch]"))}
    home = {}
    for name, source in text.items():
        for definition in DEFINITIONS:
            for found in re.findall(definition, source, re.M):
                home.setdefault(found, name)
    for name, source in text.items():
        if str(pathlib.PurePath(name).parent) not in LAYERS:
            yield f"bpf/{name}: its folder is no layer of the probes"
            continue
        included = {found for found in re.findall(r'^#include "([^"]+)"', source, re.M) if found in text}
        used = {home[word] for word in re.findall(r"\w+", re.sub(r'"[^"]*"', "", source)) if word in home} - {name}
        used |= {TYPES} - {name}
        for other in sorted(used - included):
            yield f"bpf/{name}: it uses {other} and does not include it"
        for other in sorted(included - used if name != PROGRAM else ()):
            yield f"bpf/{name}: it includes {other} and does not use it"
        for other in sorted(included):
            if layer(other) > layer(name):
                yield f"bpf/{name}: {other} does not stand below it"


end_with(complaints())
