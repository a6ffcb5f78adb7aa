# SPDX-License-Identifier: GPL-2.0
"""The benchmark's own arithmetic and tables, checked by hand-made figures."""

import random
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
        result = stats.spread([5, None, 1, 3])
        self.assertEqual((result["q1"], result["median"], result["q3"], result["n"]), (2, 3, 4, 3))
        self.assertEqual(result["rounds"], [5, None, 1, 3])
        self.assertIsNone(stats.spread([None, None]))
        self.assertIsNone(stats.spread([]))

    def test_an_interval_holds_the_median_and_is_the_same_each_time(self):
        values = [10, 12, 11, 14, 9, 13, 11, 12, 10, 15, 11]
        result = stats.spread(values)
        self.assertLessEqual(result["low"], result["median"])
        self.assertGreaterEqual(result["high"], result["median"])
        self.assertLess(min(values), result["low"])
        self.assertGreater(max(values), result["high"])
        self.assertEqual(result, stats.spread(values))
        self.assertEqual((stats.spread([7] * 9)["low"], stats.spread([7] * 9)["high"]), (7, 7))

    def test_an_interval_covers_as_often_as_it_says(self):
        generator = random.Random(1)
        covered = 0
        for _ in range(200):
            result = stats.spread([generator.gauss(100, 10) for _ in range(21)])
            covered += result["low"] <= 100 <= result["high"]
        self.assertGreaterEqual(covered, 180)

    def test_added_is_paired_by_round(self):
        result = stats.added([110, 130, 150], [100, 105, 120])
        self.assertEqual((result["q1"], result["median"], result["q3"]), (17.5, 25, 27.5))

    def test_added_uses_rounds_that_have_both(self):
        result = stats.added([110, None, 140], [100, 100, None])
        self.assertEqual((result["n"], result["rounds"]), (1, [10, None, None]))
        self.assertIsNone(stats.added([None], [100]))

    def test_ratio_is_of_the_rounds_that_have_both(self):
        a, b = stats.spread([10, 30, None, 20]), stats.spread([20, 40, 1, None])
        result = stats.ratio(a, b)
        self.assertEqual((result["n"], result["median"]), (2, 20 / 30))
        self.assertIsNone(stats.ratio(a, None))
        self.assertIsNone(stats.ratio(None, b))
        self.assertIsNone(stats.ratio(a, stats.spread([0, 0, 0, 0])))
        self.assertIsNone(stats.ratio(a, stats.spread([None, None, 1, None])))

    def test_what_disturbs_both_widens_no_ratio(self):
        noise = [0, 50, 10, 90, 30, 70, 20, 60, 40]
        a, b = stats.spread([110 + 1.1 * n for n in noise]), stats.spread([100 + n for n in noise])
        result = stats.ratio(a, b)
        self.assertAlmostEqual(result["low"], 1.1)
        self.assertAlmostEqual(result["high"], 1.1)

    def test_a_verdict_is_by_the_whole_interval(self):
        self.assertEqual(stats.judge({"median": 1.1, "low": 1.0, "high": 1.2}, 1.2), "met")
        self.assertEqual(stats.judge({"median": 1.1, "low": 1.0, "high": 1.21}, 1.2), "cannot tell")
        self.assertEqual(stats.judge({"median": 1.3, "low": 1.2, "high": 1.4}, 1.2), "cannot tell")
        self.assertEqual(stats.judge({"median": 1.3, "low": 1.21, "high": 1.4}, 1.2), "not met")
        self.assertIsNone(stats.judge(None, 1.2))
        self.assertEqual(stats.judge(stats.exactly(0), 0), "met")
        self.assertEqual(stats.judge(stats.exactly(1), 0), "not met")

    def test_the_rounds_that_would_tell(self):
        self.assertEqual(stats.rounds_needed({"median": 1.25, "low": 1.1, "high": 1.35, "n": 9}, 1.2), 81)
        self.assertIsNone(stats.rounds_needed({"median": 1.2, "low": 1.1, "high": 1.3, "n": 9}, 1.2))
        self.assertIsNone(stats.rounds_needed({"median": 1.2001, "low": 1.1, "high": 1.3, "n": 9}, 1.2))


def run(rounds, round_ns=2.0):
    """A result of the measuring program: the same in each phase."""
    phase = {"rounds": {"low": rounds}, "round_ns": {"low": round_ns, "median": 2.0}}
    return {"phases": {name: phase for name in bench.PHASES}, "lost": 1}


class Summary(unittest.TestCase):
    CHOSEN = [tools.Tool("bare", "", [], group="bare"), tools.Tool("floor", "", [], group="pair"),
              tools.Tool("iotrace --no-files", "", [], group="iotrace"),
              tools.Tool("iotrace --no-stacks", "", [], group="iotrace")]

    def summarized(self, **runs):
        calls = bench.summarize_calls(self.CHOSEN, {"bare": runs["bare"], "floor": runs["floor"],
                                                    "iotrace --no-files": runs["plain"], "iotrace --no-stacks": runs["files"]})
        calls["tools"] = {tool.name: {"what": "", "group": tool.group} for tool in self.CHOSEN}
        return calls

    def test_calls(self):
        calls = self.summarized(bare=[run(50), run(60)], floor=[run(100), run(100)], plain=[run(120), None], files=[None, None])
        figures = calls["phases"][bench.MAIN]
        self.assertEqual(figures["bare"]["call"]["median"], 110)
        self.assertEqual(figures["floor"]["added"]["median"], 90)
        self.assertEqual(figures["iotrace --no-files"]["added"]["n"], 1)
        self.assertEqual(calls["lost"], 5)
        rows = {row["what"]: row for row in bench.call_targets(calls)}
        self.assertAlmostEqual(rows["plain ÷ floor"]["measured"]["median"], 1.4)
        self.assertEqual(rows["plain ÷ floor"]["met"], "not met")
        self.assertIsNone(rows["plain ÷ strace -c"]["met"])

    def test_a_cheap_clock_has_another_target(self):
        def limit(floor):
            calls = self.summarized(bare=[run(50)] * 9, floor=[run(floor)] * 9, plain=[run(120)] * 9, files=[run(130)] * 9)
            return {row["what"]: row["at_most"] for row in bench.call_targets(calls)}["plain ÷ floor"]

        self.assertEqual((limit(100), limit(150)), (1.15, 1.08))

    def test_a_contradiction_is_told(self):
        calls = self.summarized(bare=[run(50)] * 9, floor=[run(100)] * 9, plain=[run(120)] * 9, files=[run(115)] * 9)
        rows = bench.contradictions(calls)
        self.assertEqual([(row["less"], row["more"]) for row in rows], [("iotrace --no-files", "iotrace --no-stacks")])
        self.assertIn("- iotrace --no-stacks does all that iotrace --no-files does, but adds 10.0 ns less", report.contradictions_section(rows))
        calls = self.summarized(bare=[run(50)] * 9, floor=[run(100)] * 9, plain=[run(120)] * 9,
                                files=[run(115), run(125), run(121)] * 3)
        self.assertEqual(bench.contradictions(calls), [])
        self.assertEqual(report.contradictions_section([]), "")

    def test_growth(self):
        series = growth.Series("T", "things", [1, 10], ["bare", "iotrace --no-files"])
        for name, point, rounds in (("bare", 1, 50), ("bare", 10, 60), ("iotrace --no-files", 1, 100), ("iotrace --no-files", 10, 120)):
            series.add(name, point, {"rounds": {"low": rounds}, "round_ns": {"median": 2.0}, "lost": 0})
        series.add("iotrace --no-files", 10, None)
        rows = {row["what"]: row for row in growth.targets({"processes": series.summary()})}
        self.assertAlmostEqual(rows["what is added at 10 processes ÷ at 1"]["measured"]["median"], 1.2)
        self.assertAlmostEqual(rows["a traced call at 10 processes ÷ at 1"]["measured"]["median"], 1.2)
        self.assertEqual(rows["calls lost, in all of growth"]["met"], "met")

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
        self.assertEqual(report.within({"low": 1, "high": 2.25}, 2), "1.00 to 2.25")

    def test_verdicts(self):
        row = {"what": "", "at_most": 1.2, "met": "cannot tell", "measured": {"median": 1.25, "low": 1.1, "high": 1.35, "n": 9}}
        self.assertEqual(report.verdict(row), "cannot tell: 81 rounds would")
        self.assertEqual(report.verdict(dict(row, measured={"median": 1.2, "low": 1.1, "high": 1.3, "n": 9})),
                         "cannot tell: it is at the limit")
        self.assertEqual(report.verdict(dict(row, met="not met")), "**not met**")
        self.assertEqual(report.verdict(dict(row, met=None, measured=None)), "not measured")
        self.assertEqual(report.verdict(dict(row, at_most=None)), "")

    def test_instructions_stand_beside_times(self):
        one = stats.spread([1.0] * 9)
        calls = {"phases": {bench.MAIN: {"bare": {"call": one, "added": one, "instructions": None},
                                         "floor": {"call": one, "added": one, "instructions": None}}},
                 "tools": {"bare": {"group": "bare"}, "floor": {"group": "pair"}}}
        text = report.main_table({"calls": calls, "emulated": {"kernel": "6.12.1", "instructions": {"floor": 190.4}}})
        self.assertIn("| floor |         1.0 |   1.0 |    1.0 to 1.0 |    1.00 |  1.00 to 1.00 |      190 |", text)
        self.assertIn("on 6.12.1, by `make kernel-cost`", text)
        self.assertNotIn("emulated", report.main_table({"calls": calls, "emulated": None}))
