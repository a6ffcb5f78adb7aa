#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""iotrace on other kernels: boots each in an emulator and checks there that calls are counted exactly.

The kernels are those that the system's package manager offers (Debian and Ubuntu: the newest of each series from 5.15
on), unpacked, not installed; or the images given as arguments. Needs no root and no KVM. One kernel is one test; TALLY
names a file for the result. `make check-kernels` builds what this needs and runs it.
"""

import argparse
import gzip
import io
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

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures"
OLDEST = (5, 15)
PATIENCE_SECONDS = 900  # nothing that works takes nearly as long
PACKAGE = re.compile(r"linux-(?:image|binary)-(\d+)\.(\d+)[0-9.]*([-+][0-9a-z.+]+)?-(amd64|generic)")
EMULATOR = "qemu-system-x86_64"
APPENDED = "console=ttyS0 quiet nokaslr norandmaps mitigations=off tsc=reliable panic=-1 rdinit=/init"


class Unavailable(Exception):
    """What a test needs cannot be had here."""


# ---- kernels ----


def natural(text):
    """Sorts 9 before 10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def offered():
    """The newest package of each series."""
    if not shutil.which("apt-cache"):
        raise Unavailable("no apt-cache: kernels are only looked for in Debian's and Ubuntu's archives")
    names = subprocess.run(["apt-cache", "pkgnames", "linux-"], stdout=subprocess.PIPE, text=True, check=True)
    newest = {}
    # Where the image is in a package of its own (-binary-), the other one only depends on it.
    for name in sorted(names.stdout.split(), key=lambda name: ("-binary-" in name, natural(name))):
        found = PACKAGE.fullmatch(name)
        if found and (int(found[1]), int(found[2])) >= OLDEST and candidate(name):
            newest[int(found[1]), int(found[2])] = name
    if not newest:
        raise Unavailable("the package lists have no kernel")
    return [newest[series] for series in sorted(newest)]


def candidate(name):
    """Can it be downloaded? Names stay known when the package has gone."""
    shown = subprocess.run(["apt-cache", "policy", name], stdout=subprocess.PIPE, text=True, check=True)
    return bool(re.search(r"Candidate: [^(]", shown.stdout))


def fetch(name, directory):
    """The image in a package, from there or from the last time."""
    image = directory / name
    if image.exists():
        return image
    shutil.rmtree(directory / "download", ignore_errors=True)
    (directory / "download").mkdir(parents=True)
    got = subprocess.run(["apt-get", "-q", "download", name], cwd=directory / "download", stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    packages = list((directory / "download").glob("*.deb"))
    if got.returncode or not packages:
        raise Unavailable(f"{name} cannot be downloaded: {got.stdout.strip()[-300:]}")
    unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", packages[0]], stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as tar:
        for member in tar:
            if member.isfile() and pathlib.PurePath(member.name).name.startswith("vmlinuz"):
                image.write_bytes(tar.extractfile(member).read())
    shutil.rmtree(directory / "download")
    if not image.exists():
        raise Unavailable(f"{name} holds no image")
    return image


# ---- the guest's files ----


class Archive:
    """An initramfs: cpio's "newc" format."""

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
        """A program into /bin, with the libraries that it names."""
        self.add("bin/" + path.name, path.read_bytes())
        needed = subprocess.run(["ldd", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for library in re.findall(r"(/\S+) \(0x", needed.stdout):
            self.add(library.lstrip("/"), pathlib.Path(library).read_bytes())

    def finished(self):
        self.add("TRAILER!!!", mode=0)
        return gzip.compress(bytes(self.data), 1)


def compiled(directory):
    """The fixtures, built."""
    built = []
    for source, name, flags in [
        *((FIXTURES / "e2e" / (name + ".c"), name, []) for name in
          ("bomb", "children", "die_in_call", "mixed_abi", "seccomp", "short_lived", "signals", "threads",
           "transfers", "waits")),
        (FIXTURES / "e2e" / "tiny.c", "tiny", ["-nostdlib", "-static"]),
        (FIXTURES / "e2e" / "threads.c", "threads32", ["-m32", "-static"]),
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


def initramfs(build, directory, more=()):
    """The guest's files; more: programs that it needs besides."""
    busybox = tool("busybox")
    if "not a dynamic executable" not in subprocess.run(["ldd", busybox], stdout=subprocess.PIPE, text=True,
                                                        stderr=subprocess.STDOUT).stdout:
        raise Unavailable("busybox is not the static one (Debian: busybox-static)")
    archive = Archive()
    for program in [busybox, build / "iotrace", tool("strace"), tool("setpriv"), *compiled(directory), *more]:
        archive.add_program(program)
    for workload in ("endl_loop", "fd_write_loop", "logger_reopen"):
        archive.add_program(HERE.parent.parent / "workloads" / workload)
    applets = subprocess.run([busybox, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    for applet in applets:
        archive.add("bin/" + applet, b"busybox", mode=0o120777)
    for name in ("proc", "sys", "dev", "tmp"):
        archive.add(name, mode=0o040755)
    cache = pathlib.Path("/etc/ld.so.cache")  # without it the loader would look in vain here and there
    if cache.exists():
        archive.add("etc/ld.so.cache", cache.read_bytes())
    archive.add("init", (HERE / "init.sh").read_bytes())
    archive.add("helpers.sh", (HERE / "helpers.sh").read_bytes())
    for number, name in enumerate(checks.CHECKS):
        archive.add(f"checks/{number:02}-{name}/script", checks.script(name).encode())
    return archive.finished()


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
        pass  # what has come will tell
    return said, files


def judge(files, verbose):
    """The checks that failed, each with what is wrong."""
    failed = []
    for number, (name, function) in enumerate(checks.CHECKS.items()):
        result = checks.Result(files.get(f"{number:02}-{name}", {}))
        try:
            function(result)
        except (checks.Wrong, KeyError, ValueError) as error:
            shown = result.files if verbose else ("out", "err")
            said = "".join(f"\n    {file}: {result.text(file).strip()[-2000:]}"
                           for file in shown if file in result.files)
            failed.append(f"{name}: {error if isinstance(error, checks.Wrong) else repr(error)}{said}")
    return failed


def run_kernel(image, ramdisk, directory, arguments):
    began = time.monotonic()
    said, files = boot(image, ramdisk, directory, arguments)
    version = re.search(r"^release (\S+)", said, re.MULTILINE)
    failed = judge(files, arguments.verbose)
    seconds = time.monotonic() - began
    print(f"{version[1] if version else image.name}: {len(checks.CHECKS) - len(failed)} of {len(checks.CHECKS)} checks "
          f"hold ({seconds:.0f} s)", flush=True)
    for failure in failed:
        print("  " + failure)
    if failed and not files:
        print(said[-3000:])
    return not failed


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # not without ending the guest
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", default="build", type=pathlib.Path, help="the build folder (default: build)")
    parser.add_argument("--append", default="", help="more for the kernels' command line")
    parser.add_argument("--parallel", action="store_true", help="the guest's CPUs run at the same time; may get stuck")
    parser.add_argument("-v", "--verbose", action="store_true", help="of checks that fail, show all")
    parser.add_argument("image", nargs="*", type=pathlib.Path, help="kernel images; default: those of the archive")
    parser.add_argument("--only", default="", metavar="REGEX", help="these checks alone")
    arguments = parser.parse_args()
    for name in [name for name in checks.CHECKS if not re.search(arguments.only, name)]:
        del checks.CHECKS[name]
    directory = arguments.build.resolve() / "kernels"
    (directory / "fixtures").mkdir(parents=True, exist_ok=True)
    tally = {"passed": 0, "failed": 0, "skipped": 0}
    try:
        tool(EMULATOR)
        ramdisk = directory / "initramfs.gz"
        ramdisk.write_bytes(initramfs(arguments.build.resolve(), directory / "fixtures"))
        kernels = arguments.image or offered()
    except Unavailable as reason:
        print(f"skipped: {reason}")
        tally["skipped"] += 1
        kernels = []
    for kernel in kernels:
        try:
            image = kernel if arguments.image else fetch(kernel, directory)
            tally["passed" if run_kernel(image, ramdisk, directory, arguments) else "failed"] += 1
        except Unavailable as reason:
            print(f"skipped: {reason}")
            tally["skipped"] += 1
    print(f"{tally['passed']} passed, {tally['failed']} failed" +
          (f", {tally['skipped']} skipped" if tally["skipped"] else ""))
    if os.environ.get("TALLY"):
        with open(os.environ["TALLY"], "w", encoding="ascii") as file:
            file.write(f"{tally['passed']} {tally['failed']} {tally['skipped']}\n")
    return 1 if tally["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
