#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs a command in PID, mount and IPC namespaces of its own: isolate.py COMMAND [ARGUMENT...]

Whatever the command leaves behind ends with it, also if it is interrupted. In its environment are TMPDIR, a folder of
its own; E2E_CGROUP, a cgroup of its own as a path below the mount of cgroup v2, if there is one that can be written to;
and E2E_ISOLATED=1. Folder and cgroup are removed at the end. Needs root.
"""

import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

PREFIX = "iotrace-tests-"
PR_SET_CHILD_SUBREAPER = 36


def cgroup_mount():
    """The place where cgroup v2 is mounted. None: nowhere."""
    for line in pathlib.Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        fields, _, source = line.partition(" - ")
        if source.split()[0] == "cgroup2":
            return pathlib.Path(re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), fields.split()[4]))
    return None


def make_cgroup(name):
    mount = cgroup_mount()
    try:
        (mount / name).mkdir()
    except (OSError, TypeError):
        return None
    return mount / name


def remove_cgroup(path):
    """Removes a cgroup and those below it. Their processes have ended with the namespace."""
    for directory, _, _ in os.walk(path, topdown=False):
        os.rmdir(directory)


def wait_for_all():
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def ended_by(number, _frame):
    raise SystemExit(128 + number)


def command_line(argv):
    # The shell stays as the namespace's init, which signals without a handler do not reach, while they must reach the
    # command. If this program is killed, so is unshare, and with it the namespace.
    return ["setpriv", "--pdeathsig", "KILL", "unshare", "--pid", "--mount", "--ipc", "--fork", "--mount-proc", "--kill-child",
            "--", "sh", "-c", '"$@"; exit $?', "sh", *argv]


def run(argv):
    folder = pathlib.Path(tempfile.mkdtemp(prefix=PREFIX))
    folder.chmod(0o755)
    cgroup = make_cgroup("-".join(folder.parts[-2:]))
    environment = dict(os.environ, TMPDIR=str(folder), E2E_ISOLATED="1")
    environment.pop("E2E_CGROUP", None)
    if cgroup:
        environment["E2E_CGROUP"] = cgroup.name
    # This process becomes the parent of a namespace whose unshare is killed, so that it can wait for the namespace's end.
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1):
        raise OSError("cannot become the reaper of what is left behind")
    process = None
    try:
        process = subprocess.Popen(command_line(argv), env=environment)
        return process.wait()
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if process:
            process.kill()
            process.wait()
        wait_for_all()
        if cgroup:
            remove_cgroup(cgroup)
        shutil.rmtree(folder)


def main():
    if len(sys.argv) < 2 or os.geteuid():
        sys.exit(__doc__ if len(sys.argv) < 2 else "isolate: namespaces need root: run it with sudo")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ended_by)
    status = run(sys.argv[1:])
    sys.exit(128 - status if status < 0 else status)


if __name__ == "__main__":
    main()
