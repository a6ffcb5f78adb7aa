#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes what a command has measured into a page, from its standard input, in the place that two lines of the page mark:

    <!-- NAME, written by `make X` -->
    <!-- end of NAME -->

fill_page.py PAGE NAME"""
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path, name = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        page = file.read()
    begin = page.find(f"<!-- {name}, written by ")
    begin = page.find("-->\n", begin) + len("-->\n") if begin >= 0 else -1
    end = page.find(f"<!-- end of {name} -->", begin)
    if begin < 0 or end < 0:
        sys.exit(f"fill_page: {path} has no place for {name}")
    text = sys.stdin.read().strip("\n")
    if not text:
        sys.exit(f"fill_page: there is nothing to write to {path}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{page[:begin]}\n{text}\n\n{page[end:]}")


main()
