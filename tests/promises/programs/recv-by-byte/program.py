# SPDX-License-Identifier: GPL-2.0
"""A collector of metrics that come as lines over TCP."""

import datetime
import os
import re
import socket
import sys


def lines_bytewise(peer):
    line = b""
    while True:
        byte = peer.recv(1)
        if not byte:
            return
        if byte == b"\n":
            yield line
            line = b""
        else:
            line += byte


def lines_buffered(peer):
    with peer.makefile("rb") as file:
        for line in file:
            yield line.rstrip(b"\n")


def send(port):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for block in range(50):
            when = 1700000000 + block * 9000
            rows = (f"host{n % 7}.disk{n % 3}.used {n + block} @{when}\n" for n in range(500))
            connection.sendall("".join(rows).encode())


def main(way):
    listener = socket.create_server(("127.0.0.1", 0))
    pid = os.fork()
    if pid == 0:
        send(listener.getsockname()[1])
        os._exit(0)
    peer, _ = listener.accept()
    sums = {}
    for line in (lines_buffered if way == "good" else lines_bytewise)(peer):
        name, value, when = re.fullmatch(rb"(\S+) (\d+) @(\d+)", line).groups()
        day = datetime.datetime.fromtimestamp(int(when), datetime.timezone.utc).strftime("%F")
        name = name.decode() + " " + day
        sums.setdefault(name, []).append(int(value))
    peer.close()
    listener.close()
    with open("sums", "w", encoding="ascii") as file:
        for name in sorted(sums):
            values = sorted(sums[name])
            print(name, sum(values), values[len(values) // 2], values[-1], file=file)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
