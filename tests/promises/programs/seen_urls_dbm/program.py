# SPDX-License-Identifier: GPL-2.0
"""A crawler keeps the pages that it has seen in a dumb dbm."""
import dbm.dumb
import hashlib
import sys


def main():
    careful = sys.argv[1] == "bad"
    seen = dbm.dumb.open("seen", "n")
    for i in range(1000):
        url = f"https://example.org/shop/{i * 7919 % 10007}/page.html"
        seen[url] = hashlib.sha256(url.encode()).hexdigest()
        if careful:
            seen.sync()
    seen.close()


main()
