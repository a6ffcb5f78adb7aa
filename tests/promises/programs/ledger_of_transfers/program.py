# SPDX-License-Identifier: GPL-2.0
"""Books transfers in a ledger opened with O_DSYNC: in three parts ("bad") or at once ("good")."""
import os
import sys
import zlib

apart = sys.argv[1] == "bad"
ledger = os.open("ledger", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_DSYNC, 0o644)
balance = [10000] * 50
for number in range(700):
    giver, taker, amount = number * 7 % 50, number * 11 % 50, 1 + number * 13 % 97
    balance[giver] -= amount
    balance[taker] += amount
    text = f"{giver} gives {amount} to {taker}: {balance[giver]}, {balance[taker]}".encode()
    parts = [b"%08d %04d " % (number, len(text)), text, b" %08x\n" % zlib.crc32(text)]
    if apart:
        for part in parts:
            os.write(ledger, part)
    else:
        os.writev(ledger, parts)
    print(number)  # It is booked.
os.close(ledger)
