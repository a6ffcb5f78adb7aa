#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts that "a new X is one row" is true, as src/README.md says: the symbol of each X stands in its own file, in one row
of a table, and in at most one declaration. Prints what is wrong, a line each; the exit status is 1 if anything is."""
import glob
import os
import re

from complaints import code, end_with

# Where each X is defined, by which pattern, and the files that name it besides, once each.
KINDS = {
    "format": ("src/report/*.c", r"^const struct renderer (render_\w+) = ", ["src/report/render.c", "src/report/render.h"]),
    "finding": ("src/model/rules/*.c", r"^const struct rule (rule_\w+) = ", ["src/model/findings.c", "src/model/rules/rule.h"]),
    "backend": ("src/trace/*/*.c", r"^const struct collector_ops (collector_\w+) = ",
                ["src/trace/backends.c", "src/trace/collector.h"]),
    "subcommand": ("src/cli/cmd_*.c", r"^int (cmd_(?!trace)\w+)\(", ["src/cli/main.c", "src/cli/commands.h"]),
    "option": ("src/cli/*.c", r"^\t(OPT_\w+)(?: = \d+)?,", []),
}
NAMES = "src/cli/commands.c"  # This file has the name of each subcommand once.
OPTION = 3  # Times that an option's own file names it: its number, its row and its case.


def wrong(kind, name, own, others, sources):
    """The complaints about one X."""
    for path, text in sources.items():
        times = len(re.findall(rf"\b{name}\b", text))
        if path == own:
            if kind == "option" and times != OPTION:
                yield f"{path}: {name} is not a number, a row and a case: it stands there {times} times"
        elif kind == "backend" and os.path.dirname(path) == os.path.dirname(own):
            pass  # This is its own folder.
        elif kind == "subcommand" and path == NAMES and text.count(f'"{name.removeprefix("cmd_")}"') != 1:
            yield f"{path}: does not have the name of {name}, which is suggested for a mistyped one"
        elif times != others.count(path):
            yield f"{path}: names {name} {times} times, not {others.count(path)}: a new {kind} is no row any more"


def complaints():
    sources = {path: code(path) for path in sorted(glob.glob("src/**/*.[ch]", recursive=True))}
    for kind, (files, pattern, others) in KINDS.items():
        found = [(name, path) for path in sorted(glob.glob(files))
                 for name in re.findall(pattern, sources[path], re.MULTILINE)]
        if not found:
            yield f"rows: no {kind} is found: did its definition change?"
        for name, own in found:
            yield from wrong(kind, name, own, others, sources)


end_with(complaints())
