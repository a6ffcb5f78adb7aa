# SPDX-License-Identifier: GPL-2.0
"""Adds up orders by prices from SQLite: queries alone ("bad") or in a transaction ("good")."""
import sqlite3
import sys

db = sqlite3.connect("shop.db", isolation_level=None)
if sys.argv[1] != "bad":
    db.execute("BEGIN")
total = 0
article = 1
for order in range(30000):
    article = article * 7919 % 4999
    (price,) = db.execute("SELECT price FROM articles WHERE id = ?", (article,)).fetchone()
    total += price * (1 + order % 3)
if sys.argv[1] != "bad":
    db.execute("COMMIT")
print(total)
