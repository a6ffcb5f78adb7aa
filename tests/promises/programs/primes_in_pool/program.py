# SPDX-License-Identifier: GPL-2.0
"""Counts primes with a pool of two processes."""
import multiprocessing
import sys


def primes_between(start):
    count = 0
    for n in range(start, start + 1500):
        if n > 1 and all(n % d for d in range(2, int(n**0.5) + 1)):
            count += 1
    return count


def main():
    chunk = 1 if sys.argv[1] == "bad" else 20
    with multiprocessing.Pool(2) as pool:
        counts = pool.map(primes_between, range(200000, 500000, 1500), chunksize=chunk)
        pool.close()
        pool.join()
    with open("count.txt", "w", encoding="ascii") as out:
        out.write(f"{sum(counts)}\n")


main()
