# SPDX-License-Identifier: GPL-2.0
"""The benchmark's own arithmetic and tables, checked by hand-made figures."""

import tempfile
import unittest

import bench
import growth
import report
import starting
import stats
import tools


class Statistics(unittest.TestCase):
    def test_quantiles_are_interpolated(self):
        self.assertEqual(stats.quantile([4], 0.75), 4)
        self.assertEqual(stats.quantile([3, 1, 2], 0.5), 2)
        self.assertEqual(stats.quantile([4, 1, 3, 2], 0.5), 2.5)
        self.assertEqual(stats.quantile([0, 10], 0.25), 2.5)
        self.assertEqual(stats.quantile([1, 2, 3], 0), 1)
        self.assertEqual(stats.quantile([1, 2, 3], 1), 3)

    def test_spread_leaves_out_what_is_missing(self):
        self.assertEqual(stats.spread([5, None, 1, 3]), {"min": 1, "q1": 2, "median": 3, "q3": 4, "n": 3})
        self.assertIsNone(stats.spread([None, None]))
        self.assertIsNone(stats.spread([]))

    def test_added_is_paired_by_round_and_its_least_is_of_the_leasts(self):
        result = stats.added([110, 130, 150], [100, 105, 120])
        self.assertEqual((result["q1"], result["median"], result["q3"]), (17.5, 25, 27.5))
        self.assertEqual(result["min"], 10)
        # The quietest round need not be the same for both.
        self.assertEqual(stats.added([200, 130], [100, 120])["min"], 30)

    def test_the_least_is_of_a_calm_run_if_there_is_one(self):
        self.assertEqual(stats.spread([5, 1, None, 3], [True, False, False, True])["min"], 3)
        self.assertEqual(stats.spread([5, 1], [False, False])["min"], 1)
        self.assertEqual(stats.added([200, 110, 150], [100, 40, 90], [True, False, True], [True, False, True])["min"], 60)

    def test_added_uses_rounds_that_have_both(self):
        self.assertEqual(stats.added([110, None, 140], [100, 100, None])["n"], 1)
        self.assertIsNone(stats.added([None], [100]))

    def test_ratio(self):
        a, b = {"min": 10, "median": 30}, {"min": 20, "median": 40}
        self.assertEqual(stats.ratio(a, b), {"min": 0.5, "median": 0.75})
        self.assertIsNone(stats.ratio(a, None))
        self.assertIsNone(stats.ratio(None, b))
        self.assertIsNone(stats.ratio(a, {"min": 0, "median": 40}))
        self.assertIsNone(stats.ratio(a, {"min": -1, "median": 40}))

    def test_a_target_is_met_at_its_limit(self):
        self.assertTrue(stats.judge({"min": 1.2}, 1.2))
        self.assertFalse(stats.judge({"min": 1.21}, 1.2))
        self.assertIsNone(stats.judge(None, 1.2))
        self.assertFalse(stats.judge({"min": 1.2, "median": 1.3}, 1.2, "median"))


def run(rounds, round_ns=2.0):
    """A result of the measuring program: the same in each phase."""
    phase = {"rounds": {"low": rounds}, "round_ns": {"low": round_ns, "median": 2.0}}
    return {"phases": {name: phase for name in bench.PHASES}, "lost": 1}


class Summary(unittest.TestCase):
    def test_calls(self):
        chosen = [tools.Tool("bare", "", [], group="bare"), tools.Tool("floor", "", [], group="pair"),
                  tools.Tool("iotrace --no-files", "", [], group="iotrace")]
        runs = {"bare": [run(50), run(60)], "floor": [run(100), run(100)], "iotrace --no-files": [run(120), None]}
        calls = bench.summarize_calls(chosen, runs)
        figures = calls["phases"][bench.MAIN]
        self.assertEqual(figures["bare"]["call"]["min"], 100)
        self.assertEqual(figures["floor"]["added"]["min"], 100)
        self.assertEqual(figures["floor"]["added"]["median"], 90)
        self.assertEqual(figures["iotrace --no-files"]["added"]["n"], 1)
        self.assertEqual(calls["lost"], 5)
        calls["tools"] = {tool.name: {"what": "", "group": tool.group} for tool in chosen}
        rows = {row["what"]: row for row in bench.call_targets(calls)}
        self.assertAlmostEqual(rows["plain ÷ floor"]["measured"]["min"], 1.4)
        self.assertFalse(rows["plain ÷ floor"]["met"])
        self.assertIsNone(rows["plain ÷ strace -c"]["met"])

    def test_a_slow_reference_loop_makes_no_least(self):
        chosen = [tools.Tool("bare", "", [], group="bare"), tools.Tool("floor", "", [], group="pair")]
        runs = {"bare": [run(50), run(50)], "floor": [run(100), run(80, 2.5)]}
        figures = bench.summarize_calls(chosen, runs)["phases"][bench.MAIN]["floor"]["added"]
        self.assertEqual((figures["min"], figures["median"]), (100, 80))

    def test_growth(self):
        series = growth.Series("T", "things", [1, 10], ["bare", "iotrace --no-files"])
        for name, point, rounds in (("bare", 1, 50), ("bare", 10, 60), ("iotrace --no-files", 1, 100), ("iotrace --no-files", 10, 120)):
            series.add(name, point, {"rounds": {"low": rounds}, "round_ns": {"median": 2.0}, "lost": 0})
        series.add("iotrace --no-files", 10, None)
        rows = {row["what"]: row for row in growth.targets({"processes": series.summary()})}
        self.assertAlmostEqual(rows["what is added at 10 processes ÷ at 1"]["measured"]["min"], 1.2)
        self.assertAlmostEqual(rows["a traced call at 10 processes ÷ at 1"]["measured"]["min"], 1.2)
        self.assertTrue(rows["calls lost, in all of growth"]["met"])

    def test_report_of_iotrace(self):
        text = ("  0.00    0.000000           1    {}           write\n"
                "entered 7 = returned 7 + in flight 0; lost 3\n")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(text.format("1000"))
            file.flush()
            self.assertEqual(bench.check_report(file.name, {"write": 1000}), 3)
            with self.assertRaises(tools.Failure):
                bench.check_report(file.name, {"write": 1001})


class Starting(unittest.TestCase):
    LOG = ("true all - 700 750\n"
           "iotrace other - 10 20\n"
           "iotrace map libbpf_global 90 95\n"
           "iotrace load libbpf_nametest 95 100\n"
           "iotrace map cells 100 110\n"
           "iotrace map states 120 150\n"
           "iotrace load stand_in 200 201\n"
           "iotrace load task_exit 202 250\n"
           "iotrace load marked_exit 201 450\n"
           "iotrace attach - 460 480\n"
           "iotrace other - 800 820\n"
           "iotrace all - 5 900\n")

    def test_the_parts_are_all_of_it(self):
        processes = starting.read_log(self.LOG)
        parts = starting.parts(processes["iotrace"], processes["true"], 0, 1000)
        self.assertEqual(list(parts.values()), [5, 95, 50, 50, 250, 30, 220, 50, 70, 80, 100])
        self.assertEqual(sum(parts.values()), 1000)

    def test_loads_are_the_probes_own(self):
        processes = starting.read_log(self.LOG)
        self.assertEqual(starting.loads(processes["iotrace"]), {"task_exit": 48, "marked_exit": 249})

    def test_the_tables(self):
        one = {"min": 1, "q1": 1, "median": 2, "q3": 3}
        text = report.starting_section({"parts": {"iotrace": {"a": one, "b": one}, "iotrace --no-files": {"a": one}},
                                        "loads": {"iotrace": {"marked_exit": one}, "iotrace --no-files": {}}})
        self.assertIn("| b         | 1.0 / 2.0 / 3.0 |                  - |", text)
        self.assertIn("| all of it |             4.0 |                2.0 |", text)
        self.assertIn("| marked_exit | 1.0 / 2.0 / 3.0 |                  - |", text)


class Text(unittest.TestCase):
    def test_table(self):
        self.assertEqual(report.table(["", "ns"], [["a", 1], ["long", 12.5]]),
                         "|      |   ns |\n| ---- | ---: |\n| a    |    1 |\n| long | 12.5 |\n")

    def test_numbers(self):
        self.assertEqual(report.number(1234.5), "1,234")
        self.assertEqual(report.number(None), "-")
        self.assertEqual(report.number(0.25, 2), "0.25")
        self.assertEqual(report.small(0.0041), "0.0041")
        self.assertEqual(report.quartiles({"q1": 1, "median": 2, "q3": 3}), "1.0 / 2.0 / 3.0")
        self.assertEqual(report.quartiles(None), "-")
