#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs the unit tests of a Python file, which finds the modules beside it: py_tests.py FILE. TALLY names a file for the
result."""

import os
import sys
import unittest


def main():
    folder, name = os.path.split(os.path.abspath(sys.argv[1]))
    sys.path.insert(0, folder)
    tests = unittest.defaultTestLoader.loadTestsFromName(os.path.splitext(name)[0])
    result = unittest.TextTestRunner(verbosity=1).run(tests)
    bad, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    if os.environ.get("TALLY"):
        with open(os.environ["TALLY"], "w", encoding="ascii") as file:
            file.write(f"{result.testsRun - bad - skipped} {bad} {skipped}\n")
    return bad > 0 or result.testsRun == 0


if __name__ == "__main__":
    sys.exit(main())
