#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs the end-to-end tests again and again, and says which cases failed, and how often.

repeat.py [--times N] [--load L] [--copies C] [--backend NAME] [--log FILE] PROGRAM [ARGUMENT...]

Each of the N rounds runs the program once for each backend, C copies of it side by side, beside L busy loops. What failing
runs print is added to the log. Ends with 1 if any case failed.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

# Cases that do not depend on the backend are tested with the first one only.
BACKENDS = {"bpf": [], "strace": ["~[once]~[given]"]}


@contextlib.contextmanager
def busy(loops):
    """Runs so many busy loops, which end with this program in any case."""
    processes = [subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "sh", "-c", "while :; do :; done"])
                 for _ in range(loops)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


class Copy:
    """One run of the program."""

    def __init__(self, command, backend, folder):
        folder.mkdir()
        self.output = folder / "output"
        self.failures = folder / "failures"
        environment = dict(os.environ, BACKEND=backend, FAILURES=str(self.failures), TALLY=str(folder / "tally"))
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(command + BACKENDS[backend], env=environment, stdout=output,
                                            stderr=subprocess.STDOUT)

    def end(self):
        """Ends the run if it has not ended. The program ends what it has started."""
        self.process.terminate()
        self.process.wait()

    def failed(self):
        """Waits for the end of the run. Returns the names of the cases that failed."""
        status = self.process.wait()
        names = self.failures.read_text(encoding="utf-8").splitlines() if self.failures.exists() else []
        return names or ([f"(no case: the program ended with status {status})"] if status else [])


def run_round(arguments, backend, folder, log):
    """Runs all copies once. Returns the names of the cases that failed."""
    folder.mkdir()
    copies = []
    failed = []
    try:
        copies += (Copy(arguments.command, backend, folder / str(number)) for number in range(arguments.copies))
        for copy in copies:
            names = copy.failed()
            failed += names
            if names and log:
                log.write(copy.output.read_text(encoding="utf-8", errors="replace"))
                log.flush()
    finally:
        for copy in copies:
            copy.end()
    return failed


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=20, metavar="N", help="how often (20)")
    parser.add_argument("--load", type=int, default=0, metavar="L", help="busy loops beside it (0)")
    parser.add_argument("--copies", type=int, default=1, metavar="C", help="how many side by side (1)")
    parser.add_argument("--backend", choices=BACKENDS, help="only this one")
    parser.add_argument("--log", type=pathlib.Path, metavar="FILE", help="gets what failing runs print")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="PROGRAM")
    arguments = parser.parse_args()
    if not arguments.command or arguments.times < 1 or arguments.load < 0 or arguments.copies < 1:
        parser.error("there must be a program, run at least once, by at least one copy")
    return arguments


def ended_by(number, _frame):
    raise SystemExit(128 + number)


def main():
    arguments = parse_arguments()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ended_by)
    failures = collections.Counter()
    runs = 0
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="repeat-")))
        log = stack.enter_context(arguments.log.open("w", encoding="utf-8")) if arguments.log else None
        stack.enter_context(busy(arguments.load))
        for number in range(1, arguments.times + 1):
            for backend in [arguments.backend] if arguments.backend else BACKENDS:
                begin = time.monotonic()
                failed = run_round(arguments, backend, folder / f"{backend}-{number}", log)
                runs += arguments.copies
                failures.update((backend, name) for name in failed)
                print(f"{backend}, round {number} of {arguments.times}: {len(failed)} failed, "
                      f"{time.monotonic() - begin:.0f} s", flush=True)
    for (backend, name), count in failures.most_common():
        print(f"failed {count} times: {backend}: {name}")
    print(f"{runs} runs, {sum(failures.values())} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
