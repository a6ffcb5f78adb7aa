#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What the probes cost on other kernels, in instructions: boots each in an emulator whose clock advances by one
nanosecond with each instruction, so that the time that the kernel says its programs ran is the number of instructions
that they executed, whatever this machine does meanwhile.

Where the kernel may skip a probe, or refuse it a task's storage (before 6.2, if it can preempt; from 7.2 on), the probes
find tasks another way, which shows here. `make kernel-cost` builds what this needs and runs it.
"""

import json
import pathlib
import re
import sys

import checks
import kernels

# So many that what a run does once, such as its first samples of stacks, weighs little.
CALLS = 200000
IOTRACE = "iotrace --backend=bpf -o report"
# These are named as in `make bench`.
MODES = {
    "empty pair": "pair empty",
    "floor": "pair clock",
    "floor + task storage": "pair storage",
    "floor + task storage + switches": "pair switches",
    "iotrace --no-latency --no-files": f"{IOTRACE} --no-latency --no-files --",
    "iotrace --no-files": f"{IOTRACE} --no-files --",
    "iotrace": f"{IOTRACE} --",
    "iotrace --no-stacks": f"{IOTRACE} --no-stacks --",
    "iotrace --by=process": f"{IOTRACE} --by=process --",
    "iotrace --sample-latency=64": f"{IOTRACE} --sample-latency=64 --no-files --",
}
# Lines of the file that guest/cost.sh reads.
PARAMETERS = "".join(f"{mode}|{CALLS}|{command}\n" for mode, command in MODES.items())


def per_call(fdinfo):
    """Instructions of all programs that ran at each call, from the fdinfo of their descriptors."""
    programs = {}
    for block in re.split(r"^pos:", fdinfo, flags=re.MULTILINE):
        found = dict(re.findall(r"^(\w+):\s*(\d+)$", block, re.MULTILINE))
        if "run_cnt" in found:
            programs[found["prog_id"]] = (int(found["run_cnt"]), int(found["run_time_ns"]))
    often = [(runs, ns) for runs, ns in programs.values() if runs >= CALLS]
    return sum(ns / runs for runs, ns in often) if often else None


def measure(image, ramdisk, directory, arguments):
    """The kernel's release, and instructions per call by mode; None where a mode did not run."""
    said, files = kernels.boot(image, ramdisk, directory, arguments, ["-smp", "1", "-icount", "shift=0,sleep=off"])
    left = files.get("00-cost", {})
    return kernels.release_of(said, image), {mode: per_call(left[mode].decode()) if mode in left else None for mode in MODES}


def main():
    parser = kernels.argument_parser(__doc__)
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    arguments.parallel, arguments.append = False, ""
    directory = arguments.build.resolve() / "kernels"
    (directory / "fixtures").mkdir(parents=True, exist_ok=True)
    checks.CHECKS.clear()
    checks.CHECKS["cost"] = None
    try:
        kernels.tool(kernels.EMULATOR)
        ramdisk = directory / "initramfs-cost.gz"
        ramdisk.write_bytes(kernels.initramfs(arguments.build.resolve(), directory / "fixtures",
                                              [arguments.build.resolve() / "bench" / "pair"],
                                              {"checks/00-cost/modes": PARAMETERS.encode()}))
        images = list(kernels.find_kernels(arguments, directory))
    except kernels.Unavailable as reason:
        sys.exit(f"kernel-cost: {reason}")
    lines = ["| kernel | " + " | ".join(MODES) + " |", "| --- |" + " ---: |" * len(MODES)]
    print("\n".join(lines))
    measured = []
    for image in images:
        if isinstance(image, kernels.Unavailable):
            print(f"kernel-cost: {image}", file=sys.stderr)
            continue
        release, taken = measure(image, ramdisk, directory, arguments)
        measured.append({"kernel": release, "instructions": taken})
        figures = ["-" if value is None else f"{value:.0f}" for value in taken.values()]
        lines.append(f"| {release} | " + " | ".join(figures) + " |")
        print(lines[-1], flush=True)
    if arguments.json and measured:
        arguments.json.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    if arguments.table:
        arguments.table.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
