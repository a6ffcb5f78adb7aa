# SPDX-License-Identifier: GPL-2.0
import gzip
import sys

if sys.argv[1] == "good":
    with gzip.open("log.gz", "at") as file:
        for i in range(3000):
            file.write(f"record {i}\n")
else:
    for i in range(3000):
        with gzip.open("log.gz", "at") as file:
            file.write(f"record {i}\n")
