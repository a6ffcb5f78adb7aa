# SPDX-License-Identifier: GPL-2.0
"""What is compared: iotrace in its modes, pairs of probes, other tools; and how each is run around a program."""

import os
import pty
import re
import select
import shutil
import subprocess
import time

TIMEOUT_S = 120

BPFTRACE_SCRIPT = """
tracepoint:syscalls:sys_enter_write /pid == cpid/ { @start[tid] = nsecs; }
tracepoint:syscalls:sys_exit_write /@start[tid]/ { @ns = hist(nsecs - @start[tid]); delete(@start[tid]); }
"""


class Failure(Exception):
    """A tool did not do what it was run for."""


class Tool:
    """Something to measure under.

    name    in all results
    what    one line for the reader
    argv    what stands before the command; None for a tool that attaches by pid
    attach  (argv of a tool that takes a pid as its last word, what it prints when it is ready)
    group   "bare", "pair", "iotrace" or "peer"
    """

    def __init__(self, name, what, argv=None, attach=None, group="peer"):
        self.name, self.what, self.argv, self.attach, self.group = name, what, argv, attach, group
        self.failure = None

    def whole(self, command):
        """The command line of the tool that runs the command."""
        return self.argv + command

    def run(self, command):
        """Runs the command under the tool, to its end."""
        if self.attach:
            self._run_attached(command)
            return
        done = subprocess.run(self.whole(command), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)
        if done.returncode:
            raise Failure(last_line(done.stderr.decode(errors="replace")) or f"exit {done.returncode}")

    def _run_attached(self, command):
        argv, ready = self.attach
        target = subprocess.Popen([command[0], "-w"] + command[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        tool = terminal = None
        try:
            target.stdout.readline()
            terminal, slave = pty.openpty()  # In a pipe, what the tool prints would wait in its buffer.
            tool = subprocess.Popen(argv + [str(target.pid)], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
            os.close(slave)
            read_until(terminal, ready)
            target.stdin.close()
            if target.wait(TIMEOUT_S):
                raise Failure(f"exit {target.returncode}")
        finally:
            end(target)
            end(tool)
            if terminal is not None:
                os.close(terminal)


def end(process):
    """Ends a process that is still there: by SIGINT, which tools report on, else by SIGKILL."""
    if process is None or process.poll() is not None:
        return
    process.send_signal(2)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def read_until(fd, text):
    seen = ""
    limit = time.monotonic() + 20
    while text not in seen:
        if not select.select([fd], [], [], max(0, limit - time.monotonic()))[0]:
            raise Failure(f"did not start: {last_line(seen)}")
        try:
            seen += os.read(fd, 4096).decode(errors="replace")
        except OSError as error:
            raise Failure(f"ended early: {last_line(seen)}") from error


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


def find(program):
    """A program's path; root's directories are looked into as well."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def options_of(iotrace):
    """The long options that this iotrace knows: not all of its features are of the same age."""
    done = subprocess.run([iotrace, "--help"], capture_output=True, text=True, check=True)
    return set(re.findall(r"--[a-z][a-z-]+", done.stdout))


def iotrace_modes(iotrace, report):
    """Command lines of iotrace's modes, by name."""
    known = options_of(iotrace)
    base = [iotrace, "-o", report]
    strace = base + ["--backend=strace"]
    if "--backend" in known:  # iotrace must not go over to strace unnoticed.
        base.append("--backend=bpf")
    files = ["--no-files"] if "--no-files" in known else []
    modes = {
        "iotrace --no-latency --no-files": base + files + ["--no-latency"],
        "iotrace --no-files": base + files,
        "iotrace": base + ([] if files or "--files" not in known else ["--files=20"]),
    }
    if "--no-stacks" in known:
        modes["iotrace --no-stacks"] = modes["iotrace"] + ["--no-stacks"]
    if "--by" in known:
        modes["iotrace --by=process"] = modes["iotrace"] + ["--by=process"]
    if "--sample-latency" in known:
        modes["iotrace --sample-latency=64"] = base + files + ["--sample-latency=64"]
    if "--backend" in known:
        modes["iotrace --backend=strace"] = strace
    if "--seccomp" in known:
        modes["iotrace --backend=strace --seccomp"] = strace + ["--seccomp"]
    if "--stacks" in known:
        modes["iotrace --backend=strace --stacks"] = strace + ["--stacks"]
    return modes


def bare():
    return Tool("bare", "nothing attached", [], group="bare")


def iotrace_tools(iotrace, report, suffix=""):
    what = {
        "iotrace --no-latency --no-files": "calls, errors, bytes and sizes",
        "iotrace --no-files": "table and histograms",
        "iotrace --no-stacks": "and files, newlines, sizes",
        "iotrace": "and where in the code they come from",
        "iotrace --by=process": "and who makes them",
        "iotrace --sample-latency=64": "no files, and the clock read for one call in 64",
        "iotrace --backend=strace": "the real strace behind it",
        "iotrace --backend=strace --seccomp": "the rest let through by seccomp",
        "iotrace --backend=strace --stacks": "and each call's stack unwound by strace -k",
    }
    return [Tool(name + suffix, what[name], argv, group="iotrace")
            for name, argv in iotrace_modes(iotrace, report).items()]


def pairs(program):
    return [
        Tool("empty pair", "tp_btf/sys_enter and sys_exit that do nothing", [program, "empty"], group="pair"),
        Tool("floor", "that pair reading the clock twice", [program, "clock"], group="pair"),
        Tool("floor + task storage", "that pair keeping the start in task storage", [program, "storage"],
             group="pair"),
        Tool("floor + task storage + switches", "and comparing the task's context switches",
             [program, "switches"], group="pair"),
    ]


def peers(directory):
    """The other tools that are installed, and the names of those that are not."""
    script = os.path.join(directory, "write.bt")
    with open(script, "w", encoding="ascii") as file:
        file.write(BPFTRACE_SCRIPT)
    null = ["-o", "/dev/null"]
    rows = [
        ("strace", "strace -f -c", "every call, by ptrace", ["-f", "-c"] + null, None),
        ("strace", "strace -f --seccomp-bpf -c", "write alone, the rest let through by seccomp",
         ["-f", "--seccomp-bpf", "-c", "-e", "trace=write"] + null, None),
        ("perf", "perf trace -s", "every call, through a ring buffer", ["trace", "-s"] + null, None),
        ("perf", "perf stat -e syscalls:sys_enter_write", "a counter and no more",
         ["stat", "-e", "syscalls:sys_enter_write"] + null, None),
        ("bpftrace", "bpftrace, histogram", "of write's latency", None, None),
        ("syscount", "syscount -L -p", "every call's number and latency", None,
         (["-L", "-p"], "Tracing syscalls")),
    ]
    tools, missing = [], []
    for program, name, what, words, attach in rows:
        path = find(program)
        if not path:
            missing.append(name)
        elif program == "bpftrace":
            tools.append(BpftraceTool(name, what, path, script))
        else:
            tools.append(Tool(name, what, [path] + words if words else None,
                              ([path] + attach[0], attach[1]) if attach else None))
    return tools, missing


class BpftraceTool(Tool):
    """bpftrace takes the command as one string."""

    def __init__(self, name, what, path, script):
        super().__init__(name, what)
        self.path, self.script = path, script

    def whole(self, command):
        return [self.path, "-o", "/dev/null", "-c", " ".join([find(command[0])] + command[1:]), self.script]


def foreign_links():
    """How many BPF tracing links there are that are not ours: somebody else's probes slow every call down."""
    bpftool = find("bpftool")
    if not bpftool:
        return 0
    done = subprocess.run([bpftool, "link", "list"], capture_output=True, text=True, check=False)
    return len(re.findall(r": (?:tracing|raw_tracepoint|perf_event) ", done.stdout))


class Patience:
    """How long others are waited for, in all: somebody may trace all day."""

    def __init__(self, seconds):
        self.left = seconds

    def wait_for_quiet(self):
        """Waits until no one else is tracing. False if that does not come to be."""
        start = time.monotonic()
        while foreign_links():
            if time.monotonic() - start >= self.left:
                self.left = 0
                return False
            time.sleep(0.2)
        self.left -= time.monotonic() - start
        return True
