# SPDX-License-Identifier: GPL-2.0
"""Checks of what happens to a whole machine, and so only to one that is thrown away. The last one leaves it locked."""

import re

from checks import Report, Wrong, check, equal, matches, threads_made


@check
def cpu_goes_and_comes_back(result):
    equal("CPUs on line", result.text("out"), "0\n" * 3)
    # A CPU is off line when the first capture is read. During the second, one comes back.
    for name in ("report.json", "late.json"):
        threads_made(result.report(name), 7200)


@check
def fork_bomb(result):
    report = result.report()
    forks, failures = map(int, result.text("out").split())
    equal("status", result.status(), 0)
    if not forks or not failures:
        raise Wrong(f"{forks} forks, {failures} failures: that was no bomb")
    equal("clone", report.figures("clone")[:2], (forks + failures, failures))
    equal("errors of clone", report.errnos("clone"), {"EAGAIN": failures})
    # Each child writes once, and so do those who write the group's file and the counts.
    equal("write", report.calls("write"), forks + 2)


@check
def ids_that_are_used_again(result):
    report = result.report()
    equal("status", result.status(), 0)
    equal("clone", report.figures("clone")[:2], (2000, 0))
    equal("write", report.figures("write"), (6000, 0, 12000))
    equal("errors of close", report.errnos("close"), {"EBADF": 2000})


@check
def preempted_task_storage(result):
    equal("status", result.status(), 0)
    if not result.text("out"):
        return "preemption"
    modes, answer, writes = result.text("out").splitlines()
    if "(full)" not in modes or answer != "ready":
        raise Wrong(f"nothing was preempted: {modes}; {answer}")
    report = Report(result.text("report.json"))
    said, written = report.data["integrity"], report.calls("write")
    lost = said["lost"] + 500 * said["lost_tasks"]
    # Printing the figure is a write, too.
    if not int(writes) + 1 - lost <= written <= int(writes) + 1:
        raise Wrong(f"{written} of {writes} writes; lost {said['lost']} and those of {said['lost_tasks']} tasks")
    if report.data["kernel"].startswith("6.1.") and not lost:
        raise Wrong("nothing was refused: this shows nothing")
    return None


# ---- file systems: what the inode says and what stat(2) says differ ----

def was_mounted(result):
    return result.text("mounted") == "0\n"


def written_to(report, path):
    """Calls by the path below the check's own directory."""
    return sum(row["calls"] for row in report.data["files"] if re.sub("^/checks/[^/]*/", "", row["path"]) == path)


def check_selected(result, name, path, kind):
    """Checks that -P selected this one of two files that were written to."""
    report = result.report(name + ".json")
    equal(name + ": write", report.figures("write"), (1, 0, 2))
    equal(name + ": " + path, written_to(report, path), 1)
    equal(name + ": file system", {row["fstype"] for row in report.data["files"]}, {kind})


@check
def btrfs(result):
    if not was_mounted(result):
        return "btrfs"
    one, other = result.text("out").split()
    equal("inode number", other, one)
    for name, path in (("subvolume", "other"), ("snapshot", "copy"), ("origin", "one")):
        check_selected(result, name, f"mnt/{path}/file", "btrfs")
    equal("writes to a log", written_to(result.report(), "mnt/log"), 50)
    return None


@check
def overlayfs(result):
    if not was_mounted(result):
        return "overlayfs"
    check_selected(result, "copied", "mnt/one", "overlay")
    check_selected(result, "comes", "mnt/new", "overlay")
    equal("writes to a log", written_to(result.report(), "mnt/log"), 50)
    return None


@check
def doctor(result):
    said = re.findall(r"^  missing  (.*?)(?:: .*)?$", result.text("doctor").partition("strace:")[0], re.MULTILINE)
    equal("status", result.status(), 0)
    return "; ".join(said) or None


@check
def locked_down(result):
    if not result.text("out"):
        return "lockdown"
    # A lockdown keeps a helper from BPF that plain counting does without.
    equal("output", result.text("out"), "none integrity [confidentiality]\n0\n0\n0\n125\n0\n")
    equal("write", result.report().figures("write"), (10, 0, 30))
    equal("write of a process", result.report("pid.json").figures("write"), (2400, 0, 7200))
    equal("write among all calls", result.report("all.json").figures("write"), (400, 0, 1200))
    equal("write in the whole system", result.report("system.json").figures("write"), (300, 0, 1200))
    why = "the kernel is locked down \\(lockdown=confidentiality\\), which keeps a process's files from eBPF"
    matches("note", result.text("err"), ".*iotrace: note: .*" + why + ".*")
    matches("refusal", result.text("refused"), "iotrace: error: .*" + why + ".*\n")
    matches("doctor", result.text("doctor"), "bpf: usable\n.*  missing  files and findings: [^\n]*" + why + ".*")
    return None
