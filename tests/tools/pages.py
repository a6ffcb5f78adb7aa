#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks the pages: each link within the project leads somewhere, and no page repeats a row of another's table. Prints what
is wrong, a line each; the exit status is 1 if anything is."""
import os
import re
import subprocess

from complaints import end_with

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
EMPTY = re.compile(r"^[|\s:–-]*$")


def anchor(heading):
    """The name that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def read(path):
    with open(path, encoding="utf-8") as file:
        return CODE.sub("", file.read())


def broken(page, text):
    """The links of a page that lead nowhere."""
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, name = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(target):
            yield f"{page}: there is no {link}"
        elif name and name not in map(anchor, re.findall(r"^#+ (.*)$", read(target), re.MULTILINE)):
            yield f"{page}: {target} has no heading {name}"


def rows(text):
    """The rows of a page's tables, without headings."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        heading = i + 1 < len(lines) and lines[i + 1].startswith("|") and EMPTY.match(lines[i + 1])
        if line.startswith("|") and not EMPTY.match(line) and not heading:
            yield re.sub(r"\s+", " ", line)


def complaints():
    seen = {}
    for page in subprocess.run(["git", "ls-files", "*.md", ":!tests/golden"], stdout=subprocess.PIPE, text=True, check=True).stdout.split():
        text = read(page)
        yield from broken(page, text)
        for row in rows(text):
            if seen.setdefault(row, page) != page:
                yield f"{page}: repeats a row of {seen[row]}: {row}"


end_with(complaints())
