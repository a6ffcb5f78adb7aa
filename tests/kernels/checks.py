# SPDX-License-Identifier: GPL-2.0
"""What is run in the guest, and what it must say there: the same on every kernel.

A check is a function that looks at what came of check_NAME in guest/checks.sh. It returns what this kernel could not do,
if there is such a thing. machine.py and guest/machine.sh have those that are done to a whole machine.
"""

import json
import re

CHECKS = {}


class Wrong(Exception):
    """A check did not hold."""


class Report:
    """A capture that iotrace wrote."""

    def __init__(self, text):
        self.data = json.loads(text)
        self.rows = {}
        for row in self.data["syscalls"]:
            self.rows[row["name"] + ("" if row["abi"] == "64" else "@" + row["abi"])] = row

    def calls(self, name):
        return self.rows[name]["calls"] if name in self.rows else 0

    def figures(self, name):
        """Calls, errors and bytes."""
        row = self.rows.get(name)
        return (row["calls"], row["errors"], row["bytes"]) if row else (0, 0, 0)

    def errnos(self, name):
        return {row["errno"]: row["count"] for row in self.rows[name]["errnos"]}


class Result:
    """The files that a check left in the guest."""

    def __init__(self, files):
        self.files = files

    def text(self, name):
        return self.files[name].decode("utf-8", "replace")

    def status(self):
        return int(self.text("status"))

    def report(self, name="report.json", **integrity):
        """The capture. What it says of itself has to be what is given, or else 0, except for the calls that have
        returned."""
        report = Report(self.text(name))
        said = report.data["integrity"]
        for key in ("in_flight", "died", "under_way", "lost", "lost_tasks"):
            if said[key] is not None or "entered" not in report.data["unknown"]:
                equal(key, said[key], integrity.get(key, 0))
        equal("returned", said["returned"], sum(row["calls"] for row in report.data["syscalls"]))
        if "entered" not in report.data["unknown"]:
            equal("entered", said["entered"], said["returned"] + said["in_flight"] + said["died"])
        for name, row in report.rows.items():
            equal(name + ": errors by errno", sum(errno["count"] for errno in row["errnos"]), row["errors"])
            if "latency" not in report.data["unknown"]:
                equal(name + ": latencies", sum(bucket["count"] for bucket in row["latency"] or []), row["timed"])
        return report


def equal(what, actual, wanted):
    if actual != wanted:
        raise Wrong(f"{what}: {actual}, not {wanted}")


def matches(what, actual, pattern):
    if not re.fullmatch(pattern, actual, re.DOTALL):
        raise Wrong(f"{what}: {actual!r} is not {pattern!r}")


def check(function):
    CHECKS[function.__name__] = function
    return function


def threads_made(report, calls, abi=""):
    """Checks what the fixtures threads and served do: writes of 3 bytes, and as many failing closes."""
    equal("write" + abi, report.figures("write" + abi), (calls, 0, 3 * calls))
    equal("errors of close" + abi, report.errnos("close" + abi), {"EBADF": calls})


def ledger(text):
    """What a workload says of itself."""
    rows = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 4 and all(word.isdigit() for word in words[1:]):
            rows[words[0]] = tuple(int(word) for word in words[1:])
    return rows


def strace_table(text):
    """Calls and errors by syscall, as strace -c -U calls,errors,name prints them."""
    rows, abi = {}, ""
    for line in text.splitlines():
        found = re.match(r"System call usage summary for (\d+) bit mode", line)
        if found:
            abi = "" if found[1] == "64" else "@" + found[1]
        words = line.split()
        if words and words[0].isdigit() and words[-1] != "total":
            rows[words[-1] + abi] = (int(words[0]), int(words[1]) if len(words) == 3 else 0)
    return rows


def agrees_with_strace(result, end, except_for=()):
    equal("status", result.status(), end)
    theirs = strace_table(result.text("strace"))
    ours = {name: (row["calls"], row["errors"]) for name, row in result.report().rows.items()}
    for name in sorted(set(ours) | set(theirs)):
        if name not in except_for:
            equal(name, ours.get(name, (0, 0)), theirs.get(name, (0, 0)))
    if len(ours) < 5:
        raise Wrong(f"few calls were seen: {ours}")


# ---- exact counts ----


@check
def ledger_of_one_thread(result):
    report = result.report()
    equal("status", result.status(), 0)
    equal("output", result.text("out"), "10000\n")
    equal("lines", [row["count"] for row in report.rows["write"]["sizes"] if row["low_bytes"] == 4], [10000])
    equal("write", report.figures("write"), ledger(result.text("err"))["write"])


@check
def ledger_of_eight_threads(result):
    report, idle, claimed = result.report(), result.report("idle.json"), ledger(result.text("err"))
    equal("status", result.status(), 0)
    equal("write", report.figures("write"), claimed["write"])
    for name in ("openat", "close"):
        # The loader's own calls are not in the ledger.
        equal(name, report.calls(name) - claimed[name][0], idle.calls(name) - 2)
    if report.calls("openat") < 200:
        raise Wrong("the threads did little")


@check
def threads(result):
    report = result.report()
    equal("status", result.status(), 0)
    threads_made(report, 3200)


@check
def children(result):
    equal("status", result.status(), 0)
    for how in ("fork", "vfork", "clone3", "together", "chain", "orphans"):
        report = result.report(how + ".json")
        equal(how + ": write", report.figures("write"), (300, 0, 600))
        equal(how + ": errors of close", report.errnos("close"), {"EBADF": 100})
        equal(how + ": execve", report.calls("execve"), 1)


@check
def fork_is_one_call(result):
    equal("status", result.status(), 0)
    equal("execve", result.report().figures("execve")[:2], (51, 0))
    fork = result.report("fork.json")
    equal("calls", (fork.calls("clone"), fork.calls("wait4")), (50, 50))


@check
def errnos(result):
    report = result.report()
    equal("write", report.figures("write"), (19, 18, 4096))
    equal("errors of write", report.errnos("write"), {"EFAULT": 1, "EBADF": 2, "EPIPE": 3, "EAGAIN": 5, "ENOSPC": 7})
    equal("errors of openat", report.errnos("openat"), {"ENOENT": 4, "EISDIR": 1})


@check
def sizes(result):
    wanted = {0: 1, 1: 1} | {1 << i: i + 1 for i in range(1, 16)}
    sizes = result.report().rows["write"]["sizes"]
    equal("sizes", {bucket["low_bytes"]: bucket["count"] for bucket in sizes}, wanted)


@check
def bytes_of_every_call(result):
    report = result.report()
    for name, wanted in {
        "pwrite64": (1, 0, 1001), "writev": (1, 0, 201), "pwritev": (1, 0, 301), "pwritev2": (1, 0, 401),
        "readv": (1, 0, 501), "preadv": (1, 0, 601), "preadv2": (1, 0, 701), "sendfile": (1, 0, 444),
        "splice": (2, 0, 110), "vmsplice": (1, 0, 77), "sendto": (1, 0, 11), "recvfrom": (1, 0, 11),
        "copy_file_range": (1, 0, 333), "sendmsg": (1, 0, 21), "recvmsg": (1, 0, 21),
    }.items():
        equal(name, report.figures(name), wanted)


@check
def no_latency(result):
    for name, unknown in (("report.json", ["latency", "entered", "waits", "idle", "cpu", "reads", "syncs"]),
                          ("all.json", ["latency", "waits", "idle", "cpu"])):
        report = result.report(name)
        equal("unknown", report.data["unknown"], unknown)
        threads_made(report, 2400)


@check
def files(result):
    report = result.report()
    port = result.text("port").strip()
    writes = {}
    for row in report.data["files"]:
        path = re.sub("^/checks/[^/]*/", "", row["path"])
        writes[path] = writes.get(path, 0) + row["calls"]
    for path, wanted in {f"tcp:127.0.0.1:*->127.0.0.1:{port}": 50, f"tcp:127.0.0.1:{port}->127.0.0.1:*": 50,
                         "unix:socket": 100, "unix:[*]": 100, "udp:127.0.0.1:*->127.0.0.1:9": 50, "pipe:[*]": 50,
                         "memfd:*": 100, "made/log": 50, "port": 1, "new": 1}.items():
        equal("writes to " + path, writes.get(path), wanted)


@check
def nagle(result):
    for name, wanted in (("apart.json", range(20, 41)), ("together.json", (0,))):
        rows = result.report(name).data["files"]
        delays = sum(row["nagle_delays"] for row in rows)
        equal(f"{name}: {delays} delays", delays in wanted, True)
        mean_ns = sum(row["nagle_ns"] for row in rows) / max(delays, 1)
        equal(f"{name}: {mean_ns} ns", not delays or 30e6 < mean_ns < 200e6, True)


@check
def many_files(result):
    report = result.report()
    made = {}
    for row in report.data["files"]:
        if re.fullmatch("/checks/[^/]*/made/[0-9]+", row["path"]):
            made.setdefault(row["path"], set()).add((row["syscall"], row["calls"]))
    equal("files with a row", len(made), 900)
    # The kernel warns of a map whose elements are not allocated beforehand before Linux 6.1.
    equal("warnings", re.findall(".*WARNING:.*", result.text("log")), [])
    if report.data["files_missing"]["calls"]:
        return "no room for some calls of many files"
    equal("files with all calls", sum(calls == {(name, 1) for name in ("openat", "lseek", "pwrite64", "close")}
                                      for calls in made.values()), 900)


@check
def groups(result):
    writes = {}
    for key in ("comm", "process", "thread", "user-comm", "cgroup-process"):
        data = result.report(f"{key}.json").data
        for figure in ("calls", "errors", "bytes", "total_ns"):
            equal(f"{figure} by {key}", sum(group[figure] or 0 for group in data["groups"]),
                  sum(row[figure] or 0 for row in data["syscalls"]))
        writes[key] = sorted((group["name"], call["calls"]) for group in data["groups"] for call in group["syscalls"]
                             if call["name"] == "write")
    for key in ("comm", "user-comm"):
        equal(key, writes[key], [("endl_loop", 300), ("threads", 1600)])
    for key in ("process", "cgroup-process"):
        equal(key, writes[key], [("endl_loop", 100)] * 3 + [("threads", 1600)])
    equal("thread", writes["thread"], [("endl_loop", 100)] * 3 + [("threads", 200)] * 8)


@check
def waits(result):
    report = result.report()
    # The workload prints the kernel's own counts: voluntary and involuntary switches, CPU time in us.
    equal("waits of write", report.rows["write"]["waits"], 19)
    sleep = report.rows.get("clock_nanosleep") or report.rows["nanosleep"]
    equal("waits of nanosleep", sleep["waits"], int(result.text("sleep").split()[0]))
    busy = report.rows["getrandom"]
    equal("idle time of nanosleep", sleep["idle_ns"], sleep["wait_ns"])
    equal("idle time of write", report.rows["write"]["idle_ns"], 0)
    equal("waits of getrandom", busy["waits"], 0)
    equal("preempted", busy["preempted"] > 0, int(result.text("crowd").split()[1]) > 0)
    cpu_us = int(result.text("crowd").split()[2])
    equal(f"CPU time of getrandom, {busy['cpu_ns']} ns, near {cpu_us} us",
          abs(busy["cpu_ns"] / 1e3 - cpu_us) < 0.05 * cpu_us, True)


@check
def calls_answered_by_seccomp(result):
    report = result.report()
    equal("getppid", report.errnos("getppid"), {"EPERM": 100})
    equal("getpid", report.calls("getpid"), 100)


@check
def both_abis(result):
    equal("status", result.status(), 5)
    report, threads32 = result.report(), result.report("threads.json")
    equal("getppid", (report.calls("getppid"), report.calls("getppid@32")), (30, 20))
    equal("errors of close", (report.errnos("close")["EBADF"], report.errnos("close@32")["EBADF"]), (3, 2))
    threads_made(threads32, 400, "@32")


@check
def tasks_that_die_in_a_call(result):
    equal("status", result.status(), 128 + 9)
    for name in ("report.json", "kill.json"):
        equal("errors of read", result.report(name, died=8).figures("read")[1], 0)


# ---- strace says the same ----


@check
def shell_with_forks(result):
    agrees_with_strace(result, 3, ("rt_sigreturn", "wait4"))


@check
def applets(result):
    agrees_with_strace(result, 1, ("rt_sigreturn",))


@check
def signal_handlers(result):
    agrees_with_strace(result, 0)


# ---- ends ----


@check
def end_of_the_command(result):
    equal("status", result.text("out").split(), ["7", "143", "127", "129"])
    # strace also sees that the call returns before its task dies.
    equal("errors of pause", result.report().errnos("pause"), {"ERESTARTNOHAND": 1})


# ---- what runs already ----

@check
def running_process(result):
    report = result.report(under_way=8)
    equal("status", result.status(), 0)
    threads_made(report, 2400)
    equal("read", report.calls("read"), 0)


@check
def running_process_interrupted(result):
    report = result.report()
    equal("status", result.text("out").split(), ["0", "0"])
    equal("calls", report.rows, {})
    inflight = report.data["inflight"]
    equal("since before", [call["before"] for call in inflight], [True] * 9)
    equal("in flight", sorted(call["syscall"] for call in inflight), ["futex"] + ["read"] * 8)


@check
def whole_system(result):
    equal("status", result.status(), 0)
    equal("write", result.report().figures("write"), (5000, 0, 20000))


@check
def one_cgroup(result):
    equal("status", result.status(), 0)
    # The shell is in it only when the write that moves it returns.
    report = result.report(under_way=1)
    equal("write", report.figures("write")[:2], (1600, 0))
    equal("timed", report.rows["write"]["timed"], 1600)


@check
def intervals(result):
    report = result.report()
    threads_made(report, 32000)
    calls = sum(row["calls"] for row in report.data["syscalls"])
    equal("calls of the intervals", sum(row["calls"] for part in report.data["intervals"]
                                        for row in part["syscalls"]), calls)


# ---- privileges, and what is missing ----


@check
def two_capabilities_are_enough(result):
    if not result.text("err"):
        equal("write", result.report().figures("write"), (400, 0, 1200))
        return None
    matches("note", result.text("err"), "iotrace: note: calls may be missed, .*tracefs.*\n")
    report = Report(result.text("report.json"))
    calls, errors, transferred = report.figures("write")
    equal("write", (errors, transferred), (0, 3 * calls))
    if not 400 <= calls + report.data["integrity"]["lost"]:
        raise Wrong(f"{calls} writes are counted, and too few calls are lost: {report.data['integrity']}")
    return "every call without root"


@check
def privileged_programs_are_not_seen(result):
    equal("status", result.status(), 0)
    report = Report(result.text("report.json"))
    equal("write", report.calls("write"), 0)
    if not 400 <= report.data["integrity"]["left_out"] <= 480:
        raise Wrong(f"{report.data['integrity']['left_out']} of 480 processes were left out")


def says_why(result, pattern):
    """The probes do not load here. The first run says so and fails, the second says so and goes over to strace."""
    first, second = result.text("first"), result.text("second")
    equal("output", result.text("out"), "125\n0\n")
    matches("message", first, "iotrace: error: " + pattern + "\n")
    matches("note", second, "iotrace: note: " + pattern + "; using strace instead, .*\n")
    equal("write", result.report().figures("write"), (10, 0, 30))


@check
def message_for_users(result):
    says_why(result, ".*not permitted; CAP_BPF and CAP_PERFMON are missing: run it with sudo, .*")


@check
def message_without_btf(result):
    says_why(result, ".*/sys/kernel/btf/vmlinux, .*, is not there: something else is mounted over /sys/kernel/btf: .*")
