# SPDX-License-Identifier: GPL-2.0
"""Checks of what happens to a whole machine, and so only to one that is thrown away. The last one leaves it locked."""

import re

from checks import LINES, Report, Wrong, check, equal, matches


@check
def cpu_goes_and_comes_back(result):
    """cpu=/sys/devices/system/cpu/cpu1/online
    serve() {
        rm -f go
        mkfifo go
        served 24 300 < go &
        server=$!
        exec 3> go
        until [ "$(grep -ls '^0 \\|^202 ' /proc/$server/task/*/syscall | wc -l)" = 25 ]; do :; done
    }
    serve
    iot_started -e write,close -p $server
    for i in 1 2 3; do
        printf 1234 >&3
        echo 0 > $cpu
        printf 1234 >&3
        cat /sys/devices/system/cpu/online
        echo 1 > $cpu
    done
    echo 0 > $cpu
    wait $tracer
    serve
    report=late.json
    iot_started -e write,close -p $server
    echo 1 > $cpu
    printf 123456781234567812345678 >&3
    wait $tracer"""
    equal("CPUs on line", result.text("out"), "0\n" * 3)
    # The first is read while a CPU is off line; to the second one comes when all is set up.
    for name in ("report.json", "late.json"):
        report = result.report(name)
        equal("write", report.figures("write"), (7200, 0, 21600))
        equal("errors of close", report.errnos("close"), {"EBADF": 7200})


@check
def fork_bomb(result):
    """group=/sys/fs/cgroup/bomb
    echo +pids > /sys/fs/cgroup/cgroup.subtree_control
    mkdir $group
    echo 150 > $group/pids.max
    iot -e write,clone -- bomb $group/cgroup.procs 4000"""
    report = result.report()
    forks, failures = map(int, result.text("out").split())
    equal("status", result.status(), 0)
    if not forks or not failures:
        raise Wrong(f"{forks} forks, {failures} failures: that was no bomb")
    equal("clone", report.figures("clone")[:2], (forks + failures, failures))
    equal("errors of clone", report.errnos("clone"), {"EAGAIN": failures})
    # Every child's, the group's file, and what it prints.
    equal("write", report.calls("write"), forks + 2)


@check
def ids_that_are_used_again(result):
    """before=$(cat /proc/sys/kernel/pid_max)
    echo 400 > /proc/sys/kernel/pid_max
    iot -e write,close,clone -- children fork 2000
    echo $before > /proc/sys/kernel/pid_max"""
    report = result.report()
    equal("status", result.status(), 0)
    equal("clone", report.figures("clone")[:2], (2000, 0))
    equal("write", report.figures("write"), (6000, 0, 12000))
    equal("errors of close", report.errnos("close"), {"EBADF": 2000})


@check
def preempted_task_storage(result):
    """mount -t debugfs none /sys/kernel/debug
    if ! [ -e /sys/kernel/debug/sched/preempt ]; then
        umount /sys/kernel/debug
        exit 0
    fi
    echo full > /sys/kernel/debug/sched/preempt
    cat /sys/kernel/debug/sched/preempt
    mkfifo ready
    busy_storage 0 > ready &
    read -r answer < ready
    echo $answer
    iot -e write,execve -- preempting 0 20
    kill $!
    umount /sys/kernel/debug"""
    equal("status", result.status(), 0)
    if not result.text("out"):
        return "preemption"
    modes, answer, writes = result.text("out").splitlines()
    if "(full)" not in modes or answer != "ready":
        raise Wrong(f"nothing was preempted: {modes}; {answer}")
    report = Report(result.text("report.json"))
    said, written = report.data["integrity"], report.calls("write")
    lost = said["lost"] + 500 * said["lost_tasks"]
    # What prints the figure is a write, too.
    if not int(writes) + 1 - lost <= written <= int(writes) + 1:
        raise Wrong(f"{written} of {writes} writes; lost {said['lost']} and those of {said['lost_tasks']} tasks")
    if report.data["kernel"].startswith("6.1.") and not lost:
        raise Wrong("nothing was refused: this shows nothing")
    return None


# ---- file systems: what the inode says and what stat(2) says differ ----

LINES["SELECTS"] = """selects() {
        iotrace --backend=bpf -o "$1.json" -e write -P "$2" -- sh -c 'echo x >>"$0"; echo yy >>"$1"' "$2" "$3"
    }
"""


def was_mounted(result):
    return result.text("mounted") == "0\n"


def written_to(report, path):
    """Calls by a path below the check's own directory."""
    return sum(row["calls"] for row in report.data["files"] if re.sub("^/checks/[^/]*/", "", row["path"]) == path)


def check_selected(result, name, path, kind):
    """Of two files that were written to, -P selected this one."""
    report = result.report(name + ".json")
    equal(name + ": write", report.figures("write"), (1, 0, 2))
    equal(name + ": " + path, written_to(report, path), 1)
    equal(name + ": file system", {row["fstype"] for row in report.data["files"]}, {kind})


@check
def btrfs(result):
    """ifconfig lo up
    truncate -s 120M disk
    mkfs.btrfs -q disk > /dev/null
    mkdir mnt
    mount -t btrfs -o loop disk mnt
    echo $? > mounted
    [ "$(cat mounted)" = 0 ] || { rm disk; exit 0; }
    btrfs subvolume create mnt/one > /dev/null
    btrfs subvolume create mnt/other > /dev/null
    touch mnt/one/file mnt/other/file
    stat -c %i mnt/one/file mnt/other/file
    btrfs subvolume snapshot mnt/one mnt/copy > /dev/null
    SELECTS
    selects subvolume mnt/other/file mnt/one/file
    selects snapshot mnt/copy/file mnt/one/file
    selects origin mnt/one/file mnt/copy/file
    iot -e write -- short_lived 50 mnt > /dev/null
    umount mnt
    rm disk"""
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
    """ifconfig lo up
    mkdir lower upper mnt
    mount -t tmpfs none upper
    mkdir upper/files upper/work
    touch lower/one lower/other
    mount -t overlay -o lowerdir=lower,upperdir=upper/files,workdir=upper/work none mnt
    echo $? > mounted
    [ "$(cat mounted)" = 0 ] || { umount upper; exit 0; }
    SELECTS
    selects copied mnt/one mnt/other
    selects comes mnt/new mnt/one
    iot -e write -- short_lived 50 mnt > /dev/null
    umount mnt upper"""
    if not was_mounted(result):
        return "overlayfs"
    check_selected(result, "copied", "mnt/one", "overlay")
    check_selected(result, "comes", "mnt/new", "overlay")
    equal("writes to a log", written_to(result.report(), "mnt/log"), 50)
    return None


@check
def doctor(result):
    """iotrace doctor > doctor"""
    said = re.findall(r"^  missing  (.*?)(?:: .*)?$", result.text("doctor").partition("strace:")[0], re.MULTILINE)
    equal("status", result.status(), 0)
    return "; ".join(said) or None


@check
def locked_down(result):
    """echo confidentiality > /sys/kernel/security/lockdown || exit 0
    cat /sys/kernel/security/lockdown
    iot -e write,close -- threads 2 5
    echo $?
    report=pid.json
    SERVED
    iot_started -e write,close -p $server
    printf 12345678 >&3
    wait $tracer
    echo $?
    report=all.json
    iot --cpu -e all -- threads 8 50
    report=system.json
    iot_started -a --comm endl_loop -e write
    endl_loop -n 300 > /dev/null
    kill -TERM $tracer
    wait $tracer
    echo $?
    iotrace --backend=bpf -y -- true 2> refused
    echo $?
    iotrace doctor > doctor
    echo $?"""
    if not result.text("out"):
        return "lockdown"
    # What it keeps from BPF is a helper that plain counting does without.
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
