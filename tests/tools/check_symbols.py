#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks that the frames of a capture in a stripped program have the names of its exported functions, and no others: each frame
within such a function has its name, and each other one has none. Prints how many of the frames have names and how many have
none, or what is wrong, and ends with status 1 then.

check_symbols.py CAPTURE PROGRAM"""
import json
import subprocess
import sys


def exported(program):
    """The functions of the dynamic symbol table: first address, address behind it, name."""
    lines = subprocess.run(["nm", "-D", "-S", "--defined-only", program], check=True, text=True, stdout=subprocess.PIPE).stdout
    functions = []
    for fields in map(str.split, lines.splitlines()):
        if len(fields) == 4 and fields[2] in "TtWwi":
            start = int(fields[0], 16)
            functions.append((start, start + int(fields[1], 16), fields[3].split("@")[0]))
    return functions


def main(capture, program):
    functions = exported(program)
    with open(capture, encoding="utf-8") as file:
        frames = [f for f in json.load(file)["stacks"]["frames"] if f["object"] == program]
    named = wrong = 0
    for frame in frames:
        names = {name for start, end, name in functions if start <= frame["offset"] < end}
        named += bool(names)
        if (frame["function"] not in names) if names else frame["function"] is not None:
            print(f"{frame['offset']:#x}: {frame['function']} and not {sorted(names)}")
            wrong += 1
    print(f"{named} named, {len(frames) - named} not")
    return 1 if wrong or not named else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
