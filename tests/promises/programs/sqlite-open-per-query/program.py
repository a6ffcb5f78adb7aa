# SPDX-License-Identifier: GPL-2.0
# Asks a database by one connection for each question, or by one for all.
import sqlite3
import sys


def ask(connection, number):
    rows = connection.execute("select square from squares where number = ?", (number,))
    return rows.fetchone()[0]


total = 0
kept = sqlite3.connect("db") if sys.argv[1] == "good" else None
for i in range(3000):
    connection = kept or sqlite3.connect("db")
    total += ask(connection, i % 100)
    if not kept:
        connection.close()
sys.exit(total != 30 * sum(n * n for n in range(100)))
