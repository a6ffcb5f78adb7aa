#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# A client hands requests to a server as files of a folder, and both look every 10 ms whether the
# other has written; mended, a byte through a fifo says so. The client needs each answer before its
# next request
import hashlib
import os
import sys
import time

REQUESTS = 40
TELL = sys.argv[1] == "good"


def put(name, data):
    with open("box/tmp-" + name, "wb") as f:
        f.write(data)
    os.rename("box/tmp-" + name, "box/" + name)


def take(name, bell):
    if TELL:
        os.read(bell, 1)
    else:
        while not os.path.exists("box/" + name):
            time.sleep(0.01)
    with open("box/" + name, "rb") as f:
        data = f.read()
    os.unlink("box/" + name)
    return data


to_server = os.open("box/to-server", os.O_RDWR)
to_client = os.open("box/to-client", os.O_RDWR)
pid = os.fork()
if pid == 0:
    for i in range(REQUESTS):
        data = take("request", to_server)
        for _ in range(9000):
            data = hashlib.sha256(data).digest()
        put("answer", data)
        if TELL:
            os.write(to_client, b"!")
    os._exit(0)
data = b"start"
for i in range(REQUESTS):
    put("request", data)
    if TELL:
        os.write(to_server, b"!")
    data = take("answer", to_client)
os.waitpid(pid, 0)
print(data.hex())
