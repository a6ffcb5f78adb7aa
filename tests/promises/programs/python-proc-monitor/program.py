#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# A monitor samples the machine's load, memory and times 50 times in a second for 0.8 s, from files
# of /proc that it holds open; it sleeps nearly always
import os
import time

fds = [os.open("/proc/" + name, os.O_RDONLY) for name in ("loadavg", "meminfo", "stat")]
start = time.monotonic()
for i in range(1, 41):
    load, memory, stat = (os.pread(fd, 65536, 0) for fd in fds)
    free = memory.split(b"MemAvailable:")[1].split()[0].decode()
    ticks = stat.split(b"\n", 1)[0].split()[1:5]
    print(i, load.split()[0].decode(), free, *(t.decode() for t in ticks), sep=",", flush=True)
    time.sleep(max(0, start + i * 0.02 - time.monotonic()))
