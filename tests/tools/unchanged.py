#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs a test program and checks that it leaves the machine as it has found it.

unchanged.py [--interrupt CASE] PROGRAM [ARGUMENT...]

Compared are: CPUs on line, sysctls, mounts, the tests' own cgroups and temporary files, BPF objects that nobody holds,
and processes that the program leaves behind. With --interrupt the program gets a SIGINT, as by Ctrl-C, while that test
case has probes in the kernel. Ends with the program's status, or 1 after saying what is different. TALLY names a file
whose "passed failed skipped" this check is added to, FAILURES one that gets a line for each failure.
"""

import argparse
import ctypes
import glob
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE_SECONDS = 30  # The kernel takes probes apart a little after their owner's end.
PR_SET_CHILD_SUBREAPER = 36
# These counters and random numbers change by themselves.
VOLATILE = re.compile(r"fs/(dentry-state|file-nr|inode-nr|inode-state|aio-nr|quota/.*|binfmt_misc/.*)|kernel/random/.*|"
                      r"kernel/(ns_last_pid|pty/nr|.*_count|tainted|keys/.*|sched_domain/.*)|vm/stat_.*")


def text_of(path):
    try:
        return pathlib.Path(path).read_text(errors="surrogateescape")
    except OSError:
        return ""


def sysctls():
    top = pathlib.Path("/proc/sys")
    # The kernel warns of some network settings if they are only read.
    paths = (pathlib.Path(directory, name) for part in ("fs", "kernel", "user", "vm")
             for directory, _, names in os.walk(top / part) for name in names)
    return {(str(path), text_of(path)) for path in paths if not VOLATILE.fullmatch(str(path.relative_to(top)))}


def cgroups():
    found = set()
    for line in text_of("/proc/self/mounts").splitlines():
        _, where, kind = line.split()[:3]
        if kind in ("cgroup", "cgroup2"):
            found |= {directory for directory, _, _ in os.walk(where)}
    # isolate.py names cgroups after this folder. Those of others may come and go.
    return {directory for directory in found if os.path.basename(tempfile.gettempdir()) in directory}


def held(kind, by="[0-9]*"):
    """The ids of the BPF objects that some process, or the one given, holds by a descriptor: others may be using BPF
    meanwhile."""
    ids = set()
    for info in glob.iglob(f"/proc/{by}/fdinfo/*"):
        ids |= set(re.findall(rf"^{kind}_id:\s*(\d+)$", text_of(info), re.MULTILINE))
    return ids


def traces(folder):
    """True if a process whose temporary files are in the folder has probes in the kernel."""
    for environment in glob.iglob("/proc/[0-9]*/environ"):
        if f"TMPDIR={folder}" in text_of(environment) and held("link", by=environment.split("/")[2]):
            return True
    return False


def in_bpf(kind):
    """The BPF objects that nobody holds, as ids and types."""
    bpftool = shutil.which("bpftool", path=os.environ["PATH"] + ":/usr/sbin")
    # bpftool fails if an object goes while it lists them.
    for _ in range(100):
        listed = subprocess.run([bpftool, kind, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if not listed.returncode:
            break
    listed.check_returncode()
    owned = held(kind)
    return {found for found in re.findall(r"^(\d+): (\S+)", listed.stdout, re.MULTILINE) if found[0] not in owned}


def children():
    """The processes that are left of what the program started, however indirectly. They have become ours."""
    return {(pid, text_of(f"/proc/{pid}/cmdline")) for pid in text_of("/proc/thread-self/children").split()}


# Parts of the machine that are looked at, and whether others may take something away meanwhile.
LOOKS = {
    "CPUs on line": (lambda: {text_of("/sys/devices/system/cpu/online")}, False),
    "sysctls": (sysctls, False),
    "mounts": (lambda: set(text_of("/proc/self/mountinfo").splitlines()), False),
    "cgroups": (cgroups, True),
    "temporary files": (lambda: set(os.listdir(tempfile.gettempdir())), True),
    "BPF programs": (lambda: in_bpf("prog"), True),
    "BPF maps": (lambda: in_bpf("map"), True),
    "BPF links": (lambda: in_bpf("link"), True),
    "processes": (children, True),
}


def reap():
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return
        except ChildProcessError:
            return


class Machine:
    """The machine as it is when this is made."""

    def __init__(self):
        if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1):
            raise OSError("cannot become the reaper of what the program leaves behind")
        self.before = {name: look() for name, (look, _) in LOOKS.items()}

    def now_differs(self):
        """The differences at present, in lines."""
        lines = []
        for name, (look, may_go) in LOOKS.items():
            now, before = look(), self.before[name]
            lines += [f"{name}: new: {item}" for item in sorted(map(str, now - before))]
            if not may_go:
                lines += [f"{name}: gone: {item}" for item in sorted(map(str, before - now))]
        return lines

    def differs(self):
        """The differences when all had time to end."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            reap()
            lines = self.now_differs()
            if not lines or time.monotonic() > end:
                return lines


def interrupt(process, progress, case):
    """Sends Ctrl-C while the test case traces. False if the program has ended before."""
    while case not in text_of(progress).splitlines() or not traces(os.path.dirname(progress)):
        if process.poll() is not None:
            return False
    os.killpg(process.pid, signal.SIGINT)
    return True


def run(arguments, folder):
    """Runs the program. Returns its status."""
    environment = dict(os.environ, TMPDIR=folder)
    if not arguments.interrupt:
        return subprocess.run(arguments.command, env=environment).returncode
    environment["PROGRESS"] = os.path.join(folder, "progress")
    for name in ("TALLY", "FAILURES"):
        environment.pop(name, None)
    process = subprocess.Popen(arguments.command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL)
    interrupted = interrupt(process, environment["PROGRESS"], arguments.interrupt)
    status = process.wait()
    os.unlink(environment["PROGRESS"])
    if interrupted and status != 0:
        return 0
    print(f"unchanged: the program ended with status {status}, interrupted or not", file=sys.stderr)
    return 1


def add_to_tally(good, alone):
    """Adds this check to what the program has written. alone: it is added even if the program has written nothing."""
    path = os.environ.get("TALLY")
    words = text_of(path).split() if path else []
    if path and (words or alone):
        counts = [int(word) for word in words or ["0", "0", "0"]]
        counts[0 if good else 1] += 1
        pathlib.Path(path).write_text(" ".join(map(str, counts)) + "\n", encoding="ascii")
    path = os.environ.get("FAILURES")
    if path and not good:
        with open(path, "a", encoding="ascii") as file:
            file.write("unchanged: the machine is not as it was\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--interrupt", metavar="CASE", help="send a SIGINT while this test case traces")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="unchanged-") as folder:
        os.chmod(folder, 0o755)
        tempfile.tempdir = folder
        machine = Machine()
        status = run(arguments, folder)
        lines = machine.differs()
    for line in lines:
        print(f"unchanged: {line}", file=sys.stderr)
    good = not lines and not (arguments.interrupt and status)
    add_to_tally(good, bool(arguments.interrupt))
    sys.exit(status if good else 1)


if __name__ == "__main__":
    main()
