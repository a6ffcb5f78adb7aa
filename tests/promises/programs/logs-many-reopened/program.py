# SPDX-License-Identifier: GPL-2.0
# Sorts records into a log for each of 400 hosts.
import sys

HOSTS, RECORDS = 400, 16000

if sys.argv[1] == "good":
    logs = [open(f"host{host}.log", "a") for host in range(HOSTS)]
    for i in range(RECORDS):
        logs[i % HOSTS].write(f"record {i}\n")
    for log in logs:
        log.close()
else:
    for i in range(RECORDS):
        with open(f"host{i % HOSTS}.log", "a") as log:
            log.write(f"record {i}\n")
