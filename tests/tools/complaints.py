# SPDX-License-Identifier: GPL-2.0
"""What the checks of `make lint` share."""
import re
import sys


def code(path):
    """The text of a C file without its comments."""
    with open(path, encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read(), flags=re.DOTALL)


def end_with(complaints):
    """Prints what is wrong, a line each. The exit status is 1 if anything is."""
    found = list(complaints)
    for complaint in found:
        print(complaint)
    sys.exit(bool(found))
