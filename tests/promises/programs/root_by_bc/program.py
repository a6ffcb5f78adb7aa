# SPDX-License-Identifier: GPL-2.0
"""Finds roots with bc as a coprocess: each question depends on the answer before it."""
import subprocess

bc = subprocess.Popen(["bc", "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(question):
    bc.stdin.write(question + "\n")
    bc.stdin.flush()
    return bc.stdout.readline().strip()


ask("scale = 60; 0")
for number in range(2, 520):
    root = str(number)
    for _ in range(20):
        root = ask(f"(2 * {root} + {number} / ({root} * {root})) / 3")
    print(number, root)
bc.stdin.close()
bc.wait()
