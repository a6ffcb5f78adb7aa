#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What attaching costs a server: nginx with its access log, under load, bare and with a tool attached, interleaved.

Prints iotrace's report of one run and a table of requests per second. `make bench-server` runs it, as root; it needs
nginx and ab (Debian: nginx-light, apache2-utils).
"""

import argparse
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile

CONFIG = """
worker_processes 1;
daemon off;
pid {dir}/nginx.pid;
error_log {dir}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log {dir}/access.log;
    server {{ listen 127.0.0.1:{port}; location / {{ return 200 "hello\\n"; }} }}
}}
"""

# %output, as strace writes it.
OUTPUT = ("write,writev,pwrite64,pwritev,pwritev2,open,openat,openat2,creat,close,fsync,fdatasync,"
          "sync_file_range,syncfs,sync")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """nginx in the foreground, in a folder of its own."""

    def __init__(self, folder):
        self.port = free_port()
        self.folder = folder
        os.chmod(folder, 0o755)
        config = os.path.join(folder, "nginx.conf")
        with open(config, "w", encoding="ascii") as file:
            file.write(CONFIG.format(dir=folder, port=self.port))
        self.process = subprocess.Popen(["nginx", "-c", config, "-p", folder], stderr=subprocess.DEVNULL)
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                raise SystemExit("server: nginx does not start")

    def pids(self):
        path = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        with open(path, encoding="ascii") as file:
            return [str(self.process.pid)] + file.read().split()

    def load(self, requests):
        """Requests per second."""
        command = ["ab", "-q", "-n", str(requests), "-c", "4", f"http://127.0.0.1:{self.port}/"]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return float(re.search(r"Requests per second:\s+([\d.]+)", out).group(1))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def attached(command, ready):
    """Starts a tool and waits until it says that it is attached."""
    tool = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    said = []
    for line in tool.stderr:
        said.append(line)
        if ready in line:
            return tool
    raise SystemExit("server: " + " ".join(command) + ": " + "".join(said))


def measure(server, command, ready, requests):
    if not command:
        return server.load(requests), ""
    pids = ",".join(server.pids())
    tool = attached([word.replace("PIDS", pids) for word in command], ready)
    rate = server.load(requests)
    tool.send_signal(signal.SIGINT)
    report = tool.communicate()[1]
    return rate, report


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iotrace", default="build/iotrace")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--requests", type=int, default=10000)
    parser.add_argument("--table", help="write the table to this file, too")
    args = parser.parse_args()
    tools = {
        "bare": (None, None),
        "iotrace -p": ([args.iotrace, "-p", "PIDS"], "tracing has begun"),
        "strace -f -c -p": (["strace", "-f", "-c", "-e", OUTPUT, "-p", "PIDS"], "attached"),
    }
    if not shutil.which("strace"):
        del tools["strace -f -c -p"]
    rates = {name: [] for name in tools}
    reports = {}
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            server.load(args.requests)
            for _ in range(args.rounds):
                for name, (command, ready) in tools.items():
                    rate, reports[name] = measure(server, command, ready, args.requests)
                    rates[name].append(rate)
        finally:
            server.stop()
    print(reports["iotrace -p"])
    lines = ["|  | requests/s, median | least | most | of bare |", "| --- | ---: | ---: | ---: | ---: |"]
    bare = statistics.median(rates["bare"])
    for name, values in rates.items():
        median = statistics.median(values)
        lines.append(f"| {name} | {median:,.0f} | {min(values):,.0f} | {max(values):,.0f} | {median / bare:.3f} |")
    print("\n".join(lines))
    if args.table:
        with open(args.table, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
