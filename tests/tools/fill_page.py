#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes what a command has measured into a page, from its standard input, in the place that two lines of the page mark:

    <!-- NAME, written by `COMMAND` -->
    <!-- end of NAME -->

fill_page.py PAGE NAME [COMMAND]

With COMMAND, such a place is made if the page has none, before the line <!-- more by `COMMAND` -->."""
import sys


def place(page, name):
    """The ends of the text between the two lines. None: the page does not have them."""
    begin = page.find(f"<!-- {name}, written by ")
    begin = page.find("-->\n", begin) + len("-->\n") if begin >= 0 else -1
    end = page.find(f"<!-- end of {name} -->", begin)
    return None if begin < 0 or end < 0 else (begin, end)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    path, name, *command = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        page = file.read()
    if command and not place(page, name):
        more = f"<!-- more by `{command[0]}` -->"
        page = page.replace(more, f"<!-- {name}, written by `{command[0]}` -->\n<!-- end of {name} -->\n\n{more}")
    ends = place(page, name)
    if not ends:
        sys.exit(f"fill_page: {path} has no place for {name}")
    text = sys.stdin.read().strip("\n")
    if not text:
        sys.exit(f"fill_page: there is nothing to write to {path}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{page[:ends[0]]}\n{text}\n\n{page[ends[1]:]}")


main()
