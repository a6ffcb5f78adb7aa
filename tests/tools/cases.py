#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks that a case is found by its name: it begins with what its file is about, as "predict: " in tests/unit/test_predict.cpp
and "attach: " in tests/e2e/attach.cpp. Prints what is wrong, a line each; the exit status is 1 if anything is."""
import glob
import os
import re

from complaints import end_with


def complaints():
    for path in sorted(glob.glob("tests/unit/test_*.cpp") + glob.glob("tests/e2e/*.cpp")):
        subject = os.path.basename(path)[:-len(".cpp")].removeprefix("test_").replace("_", " ")
        with open(path, encoding="utf-8") as file:
            for name in re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', file.read()):
                if not name.startswith(f"{subject}: "):
                    yield f'{path}: "{name}" does not begin with "{subject}: "'


end_with(complaints())
