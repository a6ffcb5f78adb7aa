# SPDX-License-Identifier: GPL-2.0
"""Loads keys into a Redis server, which is started and stopped here."""

import socket
import subprocess
import sys
import time

KEYS = 34000


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


def command(*words):
    parts = [f"*{len(words)}\r\n"]
    parts += [f"${len(word)}\r\n{word}\r\n" for word in words]
    return "".join(parts).encode()


def load(connection, way):
    replies = connection.makefile("rb")
    batch = 500 if way == "good" else 1
    stored = 0
    for first in range(0, KEYS, batch):
        connection.sendall(b"".join(command("SET", f"user:{number}", f"name {number}")
                                    for number in range(first, first + batch)))
        stored += sum(replies.readline() == b"+OK\r\n" for _ in range(batch))
    return stored


def main(way):
    server = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", "redis.sock",
                               "--save", "", "--appendonly", "no"])
    try:
        connection = connect(server)
        stored = load(connection, way)
        connection.sendall(command("SHUTDOWN", "NOSAVE"))
        server.wait(10)
    finally:
        server.kill()
        server.wait()
    return 0 if stored == KEYS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
