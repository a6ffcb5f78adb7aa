# SPDX-License-Identifier: GPL-2.0
"""Counts the words in what a child process prints, line by line."""
import subprocess
import sys


def main():
    size = 0 if sys.argv[1] == "bad" else -1
    counts = {}
    argv = [sys.executable, "-c", "for i in range(40000): print('host', i % 97, 'took', i * 7919 % 1000, 'ms')"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, bufsize=size) as child:
        while line := child.stdout.readline():
            host = line.split()[1]
            counts[host] = counts.get(host, 0) + int(line.split()[3])
    with open("counts.txt", "w", encoding="ascii") as out:
        for host in sorted(counts):
            out.write(f"{host.decode()} {counts[host]}\n")


main()
