#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# A worker takes the oldest job of a spool folder: before each job it lists the folder and asks for
# the time of each file; mended, it lists it once and works off the list (then looks once more)
import hashlib
import os
import sys

total = hashlib.sha256()


def age(name):
    return os.stat("spool/" + name).st_mtime, name


def work(name):
    with open("spool/" + name, "rb") as f:
        job = f.read()
    for _ in range(450):
        job = hashlib.sha256(job).digest() * 10
    total.update(job)
    os.rename("spool/" + name, "done/" + name)


if sys.argv[1] == "good":
    while names := os.listdir("spool"):
        for name in sorted(names, key=age):
            work(name)
else:
    while names := os.listdir("spool"):
        work(min(names, key=age))
print(total.hexdigest())
