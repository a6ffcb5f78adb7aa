# SPDX-License-Identifier: GPL-2.0
"""The rules by which the experiments' claims are judged, and their tables, checked by hand-made figures."""

import tempfile
import unittest

import claims
import experiments
import picture
import write_up
from claims import HOLDS, IN_PART, NOT


def group_of(name):
    return next(group for group in claims.GROUPS if group.name == name)


def result_of(name, lines, **sides):
    """A made result. sides has figures by letter: (syscall, figure) and its mean. wall_ns is 1 ms unless it is given."""
    rows = []
    for letter, figures in sides.items():
        for (syscall, figure), mean in {(None, "wall_ns"): 1_000_000, (None, "traced_wall_ns"): 3_000_000, **figures}.items():
            rows.append({"side": letter, "syscall": syscall, "figure": figure, "mean": mean, "deviation": None})
    run = {"stdout": {"path": "/dev/null", "fstype": "devtmpfs"}, "cpu": {"model": "a CPU", "count": 2}, "kernel": "6.0",
           "iotrace": "0", "backend": "bpf"}
    result = claims.Result(group_of(name), lines, 3, {"figures": rows, "sides": [{"runs": [run]}] * len(sides)})
    for side in result.group.sides:
        result.strace[side.name] = experiments.StraceRun(lines // 10, 2.0, 0.5, {"write": lines // 10})
    return result


class Rules(unittest.TestCase):
    def verdicts(self, result):
        return [claim.judge(result)[0] for claim in result.group.claims]

    def test_counts_and_buffers(self):
        flush = dict(A={("write", "calls"): 10_000, ("write", "bytes"): 40_000}, B={("write", "calls"): 10_000},
                     C={("write", "calls"): 1, ("writev", "calls"): 4}, D={("write", "calls"): 10})
        self.assertEqual(self.verdicts(result_of("flush", 10_000, **flush)), [HOLDS] * 4)
        flush["A"]["write", "bytes"] += 1
        flush["B"][None, "wall_ns"] = 1_500_000
        flush["C"]["writev", "calls"] = 6
        flush["D"]["write", "calls"] = 11
        self.assertEqual(self.verdicts(result_of("flush", 10_000, **flush)), [IN_PART, NOT, NOT, NOT])

    def test_factors(self):
        for wall, verdict in ((60, HOLDS), (30, HOLDS), (29, IN_PART), (120, HOLDS), (121, IN_PART), (15, IN_PART), (14, NOT)):
            ofstream = result_of("ofstream", 10, A={(None, "wall_ns"): wall}, B={(None, "wall_ns"): 10})
            self.assertEqual(self.verdicts(ofstream), [verdict], wall)

    def test_unitbuf_is_three_counts(self):
        def cerr(default, nounitbuf, off):
            return result_of("cerr", 100, A={("write", "calls"): default}, B={("write", "calls"): nounitbuf}, C={},
                             D={("write", "calls"): 1, ("writev", "calls"): off})
        self.assertEqual(self.verdicts(cerr(200, 200, 3)), [IN_PART])
        self.assertEqual(self.verdicts(cerr(200, 3, 3)), [HOLDS])
        self.assertEqual(self.verdicts(cerr(99, 200, 9)), [NOT])

    def test_a_terminal_wins_nothing_only_if_calls_and_times_are_the_same(self):
        def terminal(calls, wall):
            return result_of("terminal", 100, A={("write", "calls"): 100},
                             B={("write", "calls"): calls, (None, "wall_ns"): wall})
        self.assertEqual(self.verdicts(terminal(100, 1_400_000)), [HOLDS])
        self.assertEqual(self.verdicts(terminal(100, 600_000)), [IN_PART])
        self.assertEqual(self.verdicts(terminal(3, 500_000)), [NOT])

    def test_loggers_are_judged_by_their_own_clock(self):
        logger = result_of("logger", 100, A={("openat", "calls"): 104}, B={}, C={})
        logger.timing = {name: {"average": average} for name, average in
                         (("reopen", 8e-6), ("keep open", 1e-6), ("per thread", 1.6e-6))}
        self.assertEqual(self.verdicts(logger), [HOLDS, NOT])
        self.assertEqual(picture.rows_of([logger]), [("8: reopen / keep open", 8, 8),
                                                     ("8: per thread / keep open", 1.088 / 1.133, 1.6)])


class Text(unittest.TestCase):
    def test_seconds(self):
        for value, text in ((0, "0"), (3.2e-9, "3.20 ns"), (8.332e-6, "8.33 µs"), (0.0314, "31.4 ms"), (0.827, "827 ms"),
                            (37.5, "37.5 s"), (119, "119 s"), (600, "10.0 min"), (9000, "2.50 h")):
            self.assertEqual(write_up.seconds(value), text)
        for value, deviation, text in ((22.94, 0.763, "22.9 ± 0.8 s"), (0.0458, 0.00326, "45.8 ± 3.3 ms"), (0.605, 0.1, "605 ± 100 ms")):
            self.assertEqual(write_up.seconds(value, deviation), text)

    def test_strace_runs_are_scaled_to_all_lines(self):
        rows = list(write_up.under_strace(result_of("ofstream", 100, A={}, B={})))
        self.assertEqual(rows[0], ("endl", "10", "10", "0", "0", "0", "10", "2.00 s", "20.0 s", "5.00 s", "6,667"))

    def test_every_row_of_the_csv_has_all_columns(self):
        rows = list(write_up.csv_rows([result_of("ofstream", 100, A={}, B={}), result_of("cerr", 100, A={}, B={}, C={}, D={})]))
        self.assertEqual(len(rows), 7)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})

    def test_table_of_strace(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("% time     seconds  usecs/call     calls    errors syscall\n"
                       "------ ----------- ----------- --------- --------- ----------------\n"
                       " 99.00    2.886000          28    100000           write\n"
                       "  1.00    0.001000           9       100         7 openat\n"
                       "------ ----------- ----------- --------- --------- ----------------\n"
                       "100.00    2.887000          28    100100         7 total\n")
            file.flush()
            seconds, calls = experiments.read_strace(file.name)
        self.assertAlmostEqual(seconds, 2.887)
        self.assertEqual(calls, {"write": 100000, "openat": 100})
