# SPDX-License-Identifier: GPL-2.0
# Finds the next free name for each upload: in the folder, or in what is known of it.
import os
import sys

good = sys.argv[1] == "good"
names = set(os.listdir("spool")) if good else None
free = 0
for i in range(2000):
    if not good:
        names = set(os.listdir("spool"))
    free += f"upload{i}" not in names
sys.exit(free != 1600)
