# SPDX-License-Identifier: GPL-2.0
"""The experiments: what is run, what was published, and the rules by which a claim holds.

A claim about a count holds if the count is as claimed for the lines of this run; the last, partly filled buffer may make
one call more or less. A claim about a factor holds if the factor measured is between half and twice the claimed one, and
in part if it is 1.5 or more, so that the direction is right. A claim of no difference holds if the times differ by a
factor of less than 1.5. A claim of several parts holds in part if some of them hold. Seconds are those of other machines:
they stand beside what was measured here, and are not judged."""

import dataclasses

HOLDS, IN_PART, NOT = "holds", "holds in part", "does not hold"


@dataclasses.dataclass
class Side:
    """A program. In its command {n} is the number of lines, and {output} a file to write to."""
    name: str
    command: str
    published: str = "–"  # What its writer says that it took.


@dataclasses.dataclass
class Claim:
    experiment: str
    text: str
    judge: object  # Function of a Result: a verdict, and what was measured, in words.
    # Function of a Result, for the picture: a name, the factor published, the factor measured. None: no factor.
    factor: object = None


@dataclasses.dataclass
class Group:
    """Programs that are compared with each other; the first is the one that the others are compared with."""
    name: str
    title: str
    about: str
    lines: int  # Number of lines as published.
    sides: list
    claims: list
    runs: int = 5
    stdout: str = "null"  # Where the programs write to: "null", "file" or "terminal".
    timing: bool = False  # True if the programs time their own calls.


class Result:
    """What a group's programs did. comparison is what `iotrace compare -o FILE.json` wrote. strace has a StraceRun, and
    timing the seconds of their own calls, of those programs that time them, both by the program's name."""

    def __init__(self, group, lines, runs, comparison):
        self.group, self.lines, self.runs, self.comparison = group, lines, runs, comparison
        self.strace, self.timing = {}, {}
        self.letters = {side.name: chr(ord("A") + i) for i, side in enumerate(group.sides)}

    def figure(self, side, figure, syscall=None, key="mean"):
        """A figure of a side by its name; 0 for a syscall that it does not call."""
        for row in self.comparison["figures"]:
            if (row["side"], row["figure"], row["syscall"]) == (self.letters[side], figure, syscall):
                return row[key] or 0
        return 0

    def calls(self, side, syscall):
        return round(self.figure(side, "calls", syscall))

    def written(self, side):
        return self.calls(side, "write") + self.calls(side, "writev")

    def wall(self, side):
        """Seconds of wall time without iotrace."""
        return self.figure(side, "wall_ns") / 1e9

    def factor(self, side, of):
        return self.figure(side, "wall_ns") / self.figure(of, "wall_ns")

    def a_run(self):
        """One of the runs under iotrace: where it ran, and what it wrote to."""
        return self.comparison["sides"][0]["runs"][0]


def all_of(verdicts):
    if len(set(verdicts)) == 1:
        return verdicts[0]
    return IN_PART


def judge_that(true):
    return HOLDS if true else NOT


def judge_count(measured, claimed, off=0):
    return judge_that(abs(measured - claimed) <= off)


def judge_factor(measured, claimed):
    if claimed / 2 <= measured <= claimed * 2:
        return HOLDS
    return IN_PART if measured >= 1.5 else NOT


def judge_same(measured):
    return judge_that(1 / 1.5 < measured < 1.5)


def a_write_each(name):
    def judge(r):
        writes, size = r.calls(name, "write"), r.figure(name, "bytes", "write")
        return (all_of([judge_count(writes, r.lines), judge_count(size, 4 * r.lines)]),
                f"{writes:,} `write` of {size / max(writes, 1):g} bytes for {r.lines:,} lines")
    return judge


def as_slow(name, other):
    def judge(r):
        return judge_same(r.factor(name, other)), f"{r.factor(name, other):.2f} times the time of {other}"
    return judge


def buffered(name, syscall, size):
    def judge(r):
        expected, calls = 4 * r.lines / size, r.calls(name, syscall)
        return (judge_count(calls, expected, 1),
                f"{calls:,} `{syscall}`; {4 * r.lines:,} bytes are {expected:,.1f} buffers of {size:,}")
    return judge


def slower(slow, fast, claimed):
    def judge(r):
        return judge_factor(r.factor(slow, fast), claimed), f"a factor of {r.factor(slow, fast):.1f}"
    return judge


def factor_of(label, side, of, claimed):
    return lambda r: (label, claimed, r.factor(side, of))


def unitbuf(r):
    """Inserting a text and inserting a newline are two insertions."""
    default, off, synced = r.written("cerr"), r.written("nounitbuf, unsync"), r.written("nounitbuf")
    verdict = all_of([judge_that(default >= r.lines), judge_that(off < r.lines / 10), judge_that(synced < r.lines / 10)])
    return verdict, (f"{default:,} writes with `unitbuf`; {off:,} with `nounitbuf` and `sync_with_stdio(false)`, but "
                     f"{synced:,} with `nounitbuf` alone, as stdio's stderr has no buffer either")


def nothing_to_win(r):
    newline, endl, factor = r.calls("newline", "write"), r.calls("endl", "write"), r.factor("newline", "endl")
    return (all_of([judge_that(newline == endl), judge_same(factor)]),
            f"{newline:,} `write` with a newline, {endl:,} with `endl`, and {factor:.2f} times the time")


def own_factor(r, side, of):
    return r.timing[side]["average"] / r.timing[of]["average"]


def reopening(r):
    factor, opened = own_factor(r, "reopen", "keep open"), r.calls("reopen", "openat")
    return (all_of([judge_factor(factor, 8), judge_that(opened >= r.lines)]),
            f"{factor:.1f} times, by the logger's own clock, with {opened:,} `openat` for {r.lines:,} lines")


def per_thread(r):
    factor = own_factor(r, "per thread", "keep open")
    return judge_same(factor), f"{factor:.2f} times, by the logger's own clock"


GROUPS = [
    Group("flush", "A flush for each line",
          "The line is `123`. `endl` ends a line and flushes the stream, so that each line is a call of the kernel; a "
          "newline alone leaves it in the stream's buffer until that is full. The second program does without streams, and "
          "calls `write` itself.",
          20_000_000, [
              Side("endl", "./workloads/endl_loop -n {n}", "37–39 s"),
              Side("write", "./workloads/fd_write_loop -n {n} -o {output}", "38 s; 73 s in `write` under `strace -c`"),
              Side("newline, unsync", "./workloads/newline_loop -n {n} --unsync", "9,765 `writev`"),
              Side("newline", "./workloads/newline_loop -n {n}", "19,532 `write`"),
          ], [
              Claim("1", "`cout << \"123\" << endl` makes one `write(1, \"123\\n\", 4)` for each line", a_write_each("endl")),
              Claim("2", "`write(fd, \"123\\n\", 4)` for each line is as slow: it is the calls that cost",
                    as_slow("write", "endl"), factor_of("2: write / endl", "write", "endl", 1)),
              Claim("3", "`cout << \"123\" << '\\n'` makes 9,765 `writev`, which takes `sync_with_stdio(false)`",
                    buffered("newline, unsync", "writev", 8192)),
              Claim("3", "synchronised with stdio, as by default, it makes about 19,532 `write` of 4,096 bytes",
                    buffered("newline", "write", 4096)),
          ], runs=2, stdout="file"),
    Group("ofstream", "Lines of 80 characters to a file",
          "An `ofstream` is no different: it has a buffer of 8 KiB, which takes a hundred of these lines, and which `endl` "
          "flushes after each of them.",
          1_000_000, [
              Side("endl", "./workloads/ofstream_lines -n {n} -o {output}", "a bit over 3 s"),
              Side("newline", "./workloads/ofstream_lines -n {n} -o {output} --newline", "about 0.5 s"),
          ], [
              Claim("4", "`endl` is slower by a factor of about 6", slower("endl", "newline", 6),
                    factor_of("4: endl / newline", "endl", "newline", 6)),
          ]),
    Group("cerr", "`cerr` and `unitbuf`",
          "`cerr` has `unitbuf` set: it flushes after each insertion, even without `endl`. A line here is two insertions, "
          "`cerr << \"123\" << '\\n'`.",
          1_000_000, [
              Side("cerr", "./workloads/cerr_lines -n {n} -o {output}"),
              Side("nounitbuf", "./workloads/cerr_lines -n {n} -o {output} --nounitbuf"),
              Side("unsync", "./workloads/cerr_lines -n {n} -o {output} --unsync"),
              Side("nounitbuf, unsync", "./workloads/cerr_lines -n {n} -o {output} --nounitbuf --unsync"),
          ], [
              Claim("5", "`cerr` flushes after every insertion, and `nounitbuf` turns that off", unitbuf),
          ], runs=3),
    Group("integers", "Integers to a file",
          "The integers from 0 on, a line each: the lines are short, so a buffer takes more of them, and there is more to win.",
          1_000_000, [
              Side("endl", "./workloads/integer_lines -n {n} -o {output}", "827 ms"),
              Side("newline", "./workloads/integer_lines -n {n} -o {output} --newline", "31 ms"),
          ], [
              Claim("6", "`endl` is slower by a factor of 26.7", slower("endl", "newline", 26.7),
                    factor_of("6: endl / newline", "endl", "newline", 26.7)),
          ]),
    Group("terminal", "The same integers to a terminal",
          "On a terminal, stdout is line-buffered: a newline flushes it just as `endl` does. The terminal is a "
          "pseudo-terminal here, with a reader that shows nothing, so what is measured is the kernel's part and not a "
          "window's.",
          1_000_000, [
              Side("endl", "./workloads/integer_lines -n {n}", "5,520 ms"),
              Side("newline", "./workloads/integer_lines -n {n} --newline", "8,012 ms"),
          ], [
              Claim("7", "on a terminal there is nothing to win", nothing_to_win,
                    factor_of("7: newline / endl, on a terminal", "newline", "endl", 8012 / 5520)),
          ], runs=3, stdout="terminal"),
    Group("logger", "A logger that opens its file for each line",
          "Each line has the time, the level, the place in the source, and the thread. One logger opens its file, "
          "prints and closes it for each line; one opens it once; one has a file for each thread.",
          100_000, [
              Side("reopen", "./workloads/logger_reopen -n {n}", "8.332 µs a line"),
              Side("keep open", "./workloads/logger_keep_open -n {n}", "1.133 µs a line"),
              Side("per thread", "./workloads/logger_per_thread -n {n}", "1.088 µs a line"),
          ], [
              Claim("8", "opening and closing for each line costs about 8 times", reopening,
                    lambda r: ("8: reopen / keep open", 8, own_factor(r, "reopen", "keep open"))),
              Claim("8", "a file for each thread costs what a single file does", per_thread,
                    lambda r: ("8: per thread / keep open", 1.088 / 1.133, own_factor(r, "per thread", "keep open"))),
          ], timing=True),
]
