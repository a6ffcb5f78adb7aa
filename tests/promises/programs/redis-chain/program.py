# SPDX-License-Identifier: GPL-2.0
"""Follows a chain of keys in a Redis server, which is started and stopped here."""

import socket
import subprocess
import sys
import time

LINKS = 8000


def connect(server):
    while server.poll() is None:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect("redis.sock")
            return connection
        except OSError:
            connection.close()
            time.sleep(0.002)
    raise RuntimeError("The server has ended.")


def follow(connection):
    replies = connection.makefile("rb")
    for first in range(0, LINKS, 1000):
        pairs = " ".join(f"k{n} k{(n * 31 + 7) % LINKS}" for n in range(first, first + 1000))
        connection.sendall(f"MSET {pairs}\r\n".encode())
        replies.readline()
    key = "k1"
    for _ in range(LINKS):
        connection.sendall(f"GET {key}\r\n".encode())
        replies.readline()
        key = replies.readline().decode().strip()
    return key


def main():
    server = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", "redis.sock",
                               "--save", "", "--appendonly", "no"])
    try:
        connection = connect(server)
        key = follow(connection)
        connection.sendall(b"SHUTDOWN NOSAVE\r\n")
        server.wait(10)
    finally:
        server.kill()
        server.wait()
    with open("last", "w", encoding="ascii") as file:
        print(key, file=file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
