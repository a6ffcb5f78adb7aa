# SPDX-License-Identifier: GPL-2.0
"""The machine that is measured on: a namespace with tracefs for those who need it, and what it is."""

import os
import platform
import re
import subprocess
import sys

import tools

MARK = "IOTRACE_BENCH_NAMESPACE"


def enter_namespace():
    """Starts this program anew in a mount namespace of its own that has tracefs; other than that nothing is mounted."""
    if os.environ.get(MARK):
        return
    mounts = "mount -t tracefs tracefs /sys/kernel/tracing || mount -t debugfs debugfs /sys/kernel/debug"
    unshare = tools.find("unshare")
    if not unshare:
        return
    script = f'test -e /sys/kernel/tracing/events || {{ {mounts}; }} 2>/dev/null; ' \
             'test -e /sys/kernel/debug/tracing || mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null; exec "$@"'
    argv = [unshare, "-m", "--propagation", "private", "sh", "-c", script, "sh", sys.executable] + sys.argv
    os.execve(unshare, argv, dict(os.environ, **{MARK: "1"}))


def first_match(path, pattern):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = re.search(pattern, file.read(), re.MULTILINE)
    except OSError:
        return None
    return found.group(1).strip() if found else None


def version(argv):
    path = tools.find(argv[0])
    if not path:
        return None
    done = subprocess.run([path] + argv[1:], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0] if lines else None


def package_version(package):
    """Version of a package, for a tool that does not tell its own, as those of libbpf-tools."""
    done = None
    if tools.find("dpkg-query"):
        done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True,
                              check=False)
    return f"{package} {done.stdout}" if done and done.returncode == 0 and done.stdout else None


def filesystem(path):
    done = subprocess.run(["df", "--output=fstype", path], capture_output=True, text=True, check=False)
    return done.stdout.split()[-1] if done.returncode == 0 else None


def mitigations():
    """What the kernel does at each entry, return and indirect call, of which a probe makes several."""
    found = [first_match(f"/sys/devices/system/cpu/vulnerabilities/{name}", r"^(?:Mitigation|Vulnerable): (.*)$")
             for name in ("meltdown", "spectre_v2", "retbleed", "spec_rstack_overflow")]
    return "; ".join(text for text in found if text) or "none"


def commit():
    done = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


def provenance(args):
    versions = {
        "iotrace": version([args.iotrace, "-V"]),
        "commit": commit(),
        "strace": version(["strace", "-V"]),
        "perf": version(["perf", "--version"]),
        "bpftrace": version(["bpftrace", "--version"]),
        "syscount": package_version("libbpf-tools"),
    }
    return {
        "kernel": platform.release(),
        "arch": platform.machine(),
        "cpu": first_match("/proc/cpuinfo", r"^model name\s*: (.*)$"),
        "cpus": os.cpu_count(),
        "memory_kib": int(first_match("/proc/meminfo", r"^MemTotal:\s*(\d+)") or 0),
        "clocksource": first_match("/sys/devices/system/clocksource/clocksource0/current_clocksource", r"^(.*)$"),
        "mitigations": mitigations(),
        "filesystem": filesystem(args.build),
        "load_at_start": os.getloadavg()[0],
        "versions": {name: text for name, text in versions.items() if text},
        "rounds": args.rounds,
        "ms_per_phase": args.budget,
    }
