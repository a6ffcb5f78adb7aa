# SPDX-License-Identifier: GPL-2.0
"""Prints the totals of invoices that lie in a tar archive, in the order of a list of names."""
import sys
import tarfile

ARCHIVE = "invoices.tar"


def text_of(archive, name):
    return archive.extractfile(name).read().decode()


def total(text):
    return sum(int(line.split(";")[2]) for line in text.splitlines())


def main():
    names = [f"invoice{i * 37 % 220:04}.csv" for i in range(220)]
    with open("totals.txt", "w", encoding="ascii") as out:
        if sys.argv[1] == "bad":
            for name in names:
                with tarfile.open(ARCHIVE) as archive:
                    out.write(f"{name} {total(text_of(archive, name))}\n")
        else:
            with tarfile.open(ARCHIVE) as archive:
                for name in names:
                    out.write(f"{name} {total(text_of(archive, name))}\n")


main()
