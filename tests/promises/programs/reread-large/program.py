# SPDX-License-Identifier: GPL-2.0
# Looks words up in a list, which is read for each of them, or once.
import sys

words = None
found = 0
for i in range(1500):
    if words is None or sys.argv[1] != "good":
        with open("words", "rb") as file:
            words = file.read()
    found += words.startswith(b"1\n2")
sys.exit(found != 1500)
