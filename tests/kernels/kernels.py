#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""iotrace on other kernels: boots each in an emulator and checks there that calls are counted exactly.

The kernels are those of package lists (packages.py: the newest of each series from 5.15 on), or the images given as
arguments. Needs no root and no KVM. One kernel is one test; TALLY names a file for the result, --table one for a table
of them. `make check-kernels` builds what this needs and runs it.
"""

import argparse
import datetime
import gzip
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time

import checks
import machine  # noqa: F401 (It adds more checks.)
import packages
from packages import Unavailable

HERE = pathlib.Path(__file__).resolve().parent
GUEST = HERE / "guest"
FIXTURES = HERE.parent / "fixtures"
PATIENCE_SECONDS = 900  # Nothing that works takes nearly as long.
EMULATOR = "qemu-system-x86_64"
APPENDED = "console=ttyS0 quiet nokaslr norandmaps mitigations=off tsc=reliable panic=-1 rdinit=/init"


# ---- the guest's files ----


class Archive:
    """An initramfs in cpio's "newc" format."""

    def __init__(self):
        self.data = bytearray()
        self.names = set()

    def add(self, name, content=b"", mode=0o100755):
        if name in self.names:
            return
        parent = os.path.dirname(name)
        if parent:
            self.add(parent, mode=0o040755)
        self.names.add(name)
        fields = [len(self.names), mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0]
        self.data += b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        self.pad()
        self.data += content
        self.pad()

    def pad(self):
        self.data += bytes(-len(self.data) % 4)

    def add_program(self, path):
        """Adds a program to /bin, with the libraries that it names."""
        self.add("bin/" + path.name, path.read_bytes())
        needed = subprocess.run(["ldd", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for library in re.findall(r"(/\S+) \(0x", needed.stdout):
            self.add(library.lstrip("/"), pathlib.Path(library).read_bytes())

    def finished(self):
        self.add("TRAILER!!!", mode=0)
        return gzip.compress(bytes(self.data), 1)


def compiled(directory):
    """Builds the fixtures. Returns their paths."""
    built = []
    for source, name, flags in [
        *((FIXTURES / "e2e" / (name + ".c"), name, []) for name in
          ("bomb", "children", "die_in_call", "many_files", "mixed_abi", "seccomp", "short_lived", "signals",
           "threads", "transfers", "waits")),
        (FIXTURES / "e2e" / "tiny.c", "tiny", ["-nostdlib", "-static"]),
        (FIXTURES / "e2e" / "threads.c", "threads32", ["-m32", "-static"]),
        (FIXTURES / "advice" / "kernel_habits.c", "kernel_habits", []),
        (FIXTURES / "kernels" / "served.c", "served", []),
        (FIXTURES / "kernels" / "pause.c", "pause", []),
        (FIXTURES / "kernels" / "preempting.c", "preempting", []),
        (FIXTURES / "kernels" / "busy_storage.c", "busy_storage", ["-lbpf"]),
    ]:
        built.append(directory / name)
        subprocess.run(["gcc", "-O1", "-D_GNU_SOURCE", "-pthread", "-o", built[-1], source, *flags], check=True)
    return built


def tool(name):
    path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not path:
        raise Unavailable(f"{name} is missing")
    return pathlib.Path(path)


def initramfs(build, directory, more=(), parameters=None):
    """The guest's files. more has programs that it needs besides, parameters the contents of files that its scripts read."""
    busybox = tool("busybox")
    if "not a dynamic executable" not in subprocess.run(["ldd", busybox], stdout=subprocess.PIPE, text=True,
                                                        stderr=subprocess.STDOUT).stdout:
        raise Unavailable("busybox is not the static one (Debian: busybox-static)")
    archive = Archive()
    for program in [busybox, build / "iotrace", *map(tool, ("strace", "setpriv", "btrfs", "mkfs.btrfs")),
                    *compiled(directory), *more]:
        archive.add_program(program)
    for workload in ("endl_loop", "fd_write_loop", "logger_reopen"):
        archive.add_program(HERE.parent.parent / "workloads" / workload)
    applets = subprocess.run([busybox, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    for applet in applets:
        archive.add("bin/" + applet, b"busybox", mode=0o120777)
    for name in ("proc", "sys", "dev", "tmp"):
        archive.add(name, mode=0o040755)
    cache = pathlib.Path("/etc/ld.so.cache")  # Without it the loader would look in vain here and there.
    if cache.exists():
        archive.add("etc/ld.so.cache", cache.read_bytes())
    archive.add("init", (GUEST / "init.sh").read_bytes())
    for script in GUEST.glob("*.sh"):
        archive.add("guest/" + script.name, script.read_bytes())
    for number, name in enumerate(checks.CHECKS):
        archive.add(f"checks/{number:02}-{name}", mode=0o040755)
    for name, content in (parameters or {}).items():
        archive.add(name, content)
    return archive.finished()


def with_modules(ramdisk, image):
    """The guest's files with the modules of its kernel, if there are any."""
    archive = Archive()
    folder = packages.its_modules(image)
    for module in sorted(folder.iterdir()) if folder.exists() else ():
        archive.add("modules/" + module.name, module.read_bytes())
    return ramdisk + archive.finished()


# ---- a run ----


def boot(image, ramdisk, directory, arguments, more=()):
    """Runs the guest to its end. Its console, and the files of its checks by check. more: for the emulator.

    Its two CPUs take turns. They can run at the same time (--parallel), which is no quicker here, but more of a trial;
    but then QEMU (seen with 7.2) may go on with a breakpoint that the kernel has taken out of its code again, where
    tracing is switched on or off while the other CPU is at that place: both trap for ever, "soft lockup".
    """
    threads = "multi" if arguments.parallel else "single"
    console, sent = directory / "console", directory / "sent"
    command = [EMULATOR, "-accel", f"tcg,thread={threads}", "-cpu", "max", "-smp", "2", "-m", "1024", "-nodefaults",
               "-no-user-config", "-display", "none", "-no-reboot", "-serial", f"file:{console}", "-serial",
               f"file:{sent}", "-kernel", image, "-initrd", ramdisk, "-append", f"{APPENDED} {arguments.append}", *more]
    sent.unlink(missing_ok=True)
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, timeout=PATIENCE_SECONDS, check=True)
    except subprocess.TimeoutExpired:
        pass
    said = console.read_text(errors="replace")
    files = {}
    try:
        with tarfile.open(sent) as tar:
            for member in tar:
                path = pathlib.PurePath(member.name)
                if member.isfile() and len(path.parts) == 2:
                    files.setdefault(path.parts[0], {})[path.parts[1]] = tar.extractfile(member).read()
    except (tarfile.TarError, EOFError, OSError):
        pass  # judge() tells what is missing.
    return said, files


def release_of(said, image):
    """The kernel's release, from the guest's console; the image's name if the guest has not said it."""
    found = re.search(r"^release (\S+)", said, re.MULTILINE)
    return found[1] if found else image.name


def judge(files, verbose):
    """The checks that failed, each with what is wrong, and what could not be done."""
    failed, cannot = [], []
    for number, (name, function) in enumerate(checks.CHECKS.items()):
        result = checks.Result(files.get(f"{number:02}-{name}", {}))
        try:
            cannot.append(function(result))
        except (checks.Wrong, KeyError, ValueError) as error:
            shown = result.files if verbose else ("out", "err")
            said = "".join(f"\n    {file}: {result.text(file).strip()[-2000:]}"
                           for file in shown if file in result.files)
            failed.append(f"{name}: {error if isinstance(error, checks.Wrong) else repr(error)}{said}")
    return failed, list(filter(None, cannot))


def run_kernel(image, ramdisk, directory, arguments):
    """True if every check held. Prints one line, and adds it to the table."""
    began = time.monotonic()
    own = directory / "initramfs-with-modules.gz"
    own.write_bytes(with_modules(ramdisk, image))
    said, files = boot(image, own, directory, arguments)
    version = release_of(said, image)
    failed, cannot = judge(files, arguments.verbose)
    held = f"{len(checks.CHECKS) - len(failed)} of {len(checks.CHECKS)}"
    print(f"{version}: {held} checks hold ({time.monotonic() - began:.0f} s)" +
          (f"; not there: {', '.join(cannot)}" if cannot else ""), flush=True)
    for failure in failed:
        print("  " + failure)
    if failed and not files:
        print(said[-3000:])
    arguments.rows.append((version, held, ", ".join(cannot) or "–"))
    return not failed


def find_kernels(arguments, directory):
    """The image of each kernel, or why it cannot be had."""
    if arguments.image:
        yield from arguments.image
        return
    lists = packages.Lists(directory, arguments.sources)
    for series, name in packages.offered(lists).items():
        if arguments.series and arguments.series != ".".join(map(str, series)):
            continue
        try:
            yield packages.fetch(lists, name, directory)
        except Unavailable as reason:
            yield reason


def missing(arguments):
    """Series that are maintained for years and were not among the kernels."""
    had = {tuple(map(int, version.split(".")[:2])) for version, *_ in arguments.rows if version[0].isdigit()}
    return [".".join(map(str, series)) for series in packages.LONG_TERM if series not in had]


def write_table(arguments):
    with open(arguments.table, "w", encoding="utf-8") as table:
        table.write(f"{datetime.date.today()}:\n\n")
        table.write("| kernel | checks that hold | not there |\n| --- | --- | --- |\n")
        for row in arguments.rows:
            table.write("| " + " | ".join(row) + " |\n")
        if missing(arguments) and not arguments.image:
            table.write(f"\nThe package lists have no {' and no '.join(missing(arguments))}.\n")


def run_all(arguments, directory):
    """How many kernels passed, failed and were skipped."""
    tally = {"passed": 0, "failed": 0, "skipped": 0}
    try:
        tool(EMULATOR)
        ramdisk = initramfs(arguments.build.resolve(), directory / "fixtures")
        for image in find_kernels(arguments, directory):
            if isinstance(image, Unavailable):
                print(f"skipped: {image}")
                tally["skipped"] += 1
                continue
            tally["passed" if run_kernel(image, ramdisk, directory, arguments) else "failed"] += 1
    except Unavailable as reason:
        print(f"skipped: {reason}")
        tally["skipped"] += 1
    return tally


def argument_parser(description):
    """The options of all that boots kernels."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--build", default="build", type=pathlib.Path, help="the build folder (default: build)")
    parser.add_argument("--sources", type=pathlib.Path, help="more package lists, a file as sources.list(5)")
    parser.add_argument("--table", type=pathlib.Path, help="write a table of the kernels to this file")
    parser.add_argument("image", nargs="*", type=pathlib.Path, help="kernel images; default: those of package lists")
    parser.add_argument("--series", help="only the kernel of this series, such as 6.12")
    return parser


def parse_arguments():
    parser = argument_parser(__doc__)
    parser.add_argument("--append", default="", help="more for the kernels' command line")
    parser.add_argument("--parallel", action="store_true", help="the guest's CPUs run at the same time; may get stuck")
    parser.add_argument("-v", "--verbose", action="store_true", help="of checks that fail, show all")
    parser.add_argument("--only", default="", metavar="REGEX", help="these checks alone")
    return parser.parse_args()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # The guest ends with this program.
    arguments = parse_arguments()
    arguments.rows = []
    for name in [name for name in checks.CHECKS if not re.search(arguments.only, name)]:
        del checks.CHECKS[name]
    directory = arguments.build.resolve() / "kernels"
    (directory / "fixtures").mkdir(parents=True, exist_ok=True)
    tally = run_all(arguments, directory)
    if arguments.table:
        write_table(arguments)
    print(f"{tally['passed']} passed, {tally['failed']} failed" +
          (f", {tally['skipped']} skipped" if tally["skipped"] else ""))
    if os.environ.get("TALLY"):
        with open(os.environ["TALLY"], "w", encoding="ascii") as file:
            file.write(f"{tally['passed']} {tally['failed']} {tally['skipped']}\n")
    return 1 if tally["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
