# SPDX-License-Identifier: GPL-2.0
# Sends counters to a collector of metrics, in a datagram for each, and counts what arrives.
import socket
import sys

collector = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
collector.bind(("127.0.0.1", 0))
port = collector.getsockname()[1]
client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

if sys.argv[1] == "bad":
    address = ("localhost", port)
else:
    address = (socket.gethostbyname("localhost"), port)

total = 0
for i in range(8000):
    client.sendto(b"shop.orders:%d|c" % (i % 9), address)
    name, _, rest = collector.recv(512).partition(b":")
    total += int(rest.split(b"|")[0])
print(total)
