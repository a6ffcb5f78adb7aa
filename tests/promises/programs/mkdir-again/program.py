# SPDX-License-Identifier: GPL-2.0
# Makes sure that a record's folder is there, before each record or for each folder once.
import os
import sys

good = sys.argv[1] == "good"
made = set()
with open("index", "w", encoding="ascii") as index:
    for i in range(60000):
        folder = f"by-host/{i % 8}"
        if not good or folder not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        index.write(f"{folder}/{i}\n")
