# SPDX-License-Identifier: GPL-2.0
"""How promises are scored, checked by hand-made rounds; and that each program says what is true of it."""

import os
import re
import unittest

import promises
import score


def promise(low=None, high=None, reason=None):
    return {"what": "flush-per-line", "wall_ns": [low * 1e9, high * 1e9] if low is not None else None, "reason": reason}


def rounds(*told, bad=1.0, good=0.5, cpu=(1.0, 1.0)):
    return [{"wall_s": [bad, good], "cpu_s": list(cpu), "promises": list(each)} for each in told]


WINS, NOTHING = {"wins": True}, {"wins": False}


class Score(unittest.TestCase):
    def test_an_interval_holds_if_the_gain_of_its_round_is_in_it(self):
        judged = score.judge(WINS, rounds([promise(0.4, 0.6)], [promise(0.6, 0.7)], [promise(0.1, 0.5)], [promise()]))
        self.assertEqual((judged["held"], judged["promised"], judged["rounds"]), (2, 4, 4))
        self.assertEqual(judged["gain_s"], 0.5)

    def test_a_mended_run_that_takes_longer_gains_nothing(self):
        self.assertEqual(score.judge(WINS, rounds([promise(0, 0.1)], [promise(0.001, 0.1)], good=1.02))["held"], 1)

    def test_the_intervals_of_several_promises_add_up(self):
        judged = score.judge({"wins": True, "causes": 2}, rounds([promise(0.1, 0.2), promise(0.3, 0.4)]))
        self.assertEqual((judged["held"], judged["twice"]), (1, 0))

    def test_a_promise_without_a_gain_is_false(self):
        judged = score.judge(NOTHING, rounds([], [promise(0.1, 0.2)], good=1.0))
        self.assertEqual((judged["false"], judged["missed"], judged["promised"]), (1, 0, 0))

    def test_a_large_gain_without_a_promise_is_missed(self):
        self.assertEqual(score.judge(WINS, rounds([], [promise(0.4, 0.6)]))["missed"], 1)
        self.assertEqual(score.judge(WINS, rounds([], [], good=0.86))["missed"], 0)

    def test_more_promises_than_causes_are_told_twice(self):
        self.assertEqual(score.judge(WINS, rounds([promise(), promise()], [promise()]))["twice"], 1)

    def test_a_gain_of_cpu_time_is_told_as_such(self):
        truth = {"wins": True, "of": "cpu"}
        told = dict(promise(0, 0.9), cpu_ns=[0.8e9, 1e9])
        judged = score.judge(truth, rounds([], [told], good=1.0, cpu=(1.0, 0.1)))
        self.assertEqual((judged["missed"], judged["promised"], judged["held"], judged["false"]), (1, 1, 1, 0))
        self.assertAlmostEqual(judged["share"], 0.9)
        told["wall_ns"] = [0.5e9, 0.9e9]
        judged = score.judge(truth, rounds([told], good=1.0, cpu=(1.0, 0.1)))
        self.assertEqual((judged["held"], judged["false"]), (0, 1))

    def test_a_wide_interval_needs_a_reason(self):
        told = rounds([promise(0.1, 0.25)], [promise(0.1, 0.26)], [promise(0, 1, "its reader sets the pace")])
        self.assertEqual(score.judge(WINS, told)["wide"], 1)

    def test_sums_are_of_programs_and_of_rounds(self):
        sums = score.add_up([score.judge(WINS, rounds([promise(0.4, 0.6)], [promise(0.4, 0.6)])),
                             score.judge(NOTHING, rounds([promise(0.4, 0.6)], good=1.0)), score.judge(WINS, rounds([]))])
        self.assertEqual(sums, {"programs": 3, "without a gain": 1, "false": 1, "missed": 1, "twice": 0, "held": 2,
                                "promised": 2, "wide": 0})


class Programs(unittest.TestCase):
    def test_each_says_what_is_true(self):
        with open(os.path.join(promises.HERE, "../tools/deps.sh"), encoding="utf-8") as file:
            installed = re.search('debian_promises="([^"]*)"', file.read())[1].split()
        known = {"about", "wins", "bad", "good", "run", "prepare", "finding", "file", "causes", "of", "on", "marks",
                 "packages"}
        programs = promises.all_programs([""], promises.GROUPS)
        self.assertGreaterEqual(len(programs), 170)
        without = 0
        for program in programs:
            name = program.name
            truth = program.truth
            self.assertLessEqual(set(truth), known, name)
            self.assertLessEqual(set(truth.get("packages", [])), {*installed, "make"}, name)
            self.assertTrue(truth["about"].endswith("."), name)
            self.assertTrue(program.source or ("bad" in truth and "good" in truth) or "run" in truth, name)
            self.assertFalse(not truth["wins"] and {"bad", "good", "finding"} & set(truth), name)
            self.assertEqual(truth["wins"], "finding" in truth, name)
            without += not truth["wins"]
        self.assertGreaterEqual(without, 30)


class Groups(unittest.TestCase):
    def test_a_third_is_held_out_whatever_else_there_is(self):
        groups = [promises.Program(name).group for name in os.listdir(promises.PROGRAMS)]
        self.assertAlmostEqual(groups.count(promises.HELD_OUT) / len(groups), 1 / 3, delta=0.08)
        self.assertEqual(promises.Program("c-write-lines").group, promises.KNOWN)
        self.assertTrue(all(program.group == promises.BY_OTHERS for program in promises.all_programs([""], [promises.BY_OTHERS])))


class Page(unittest.TestCase):
    def test_habits_have_a_row_each_and_the_commonest_is_first(self):
        told, place = promise(0.4, 0.6), promises.Place("disk", "")
        of = {"c-line-buffered": rounds([told]), "c-write-lines": rounds([told], good=0.7), "c-stat-again": rounds([]),
              "good-stdio": rounds([told])}
        pairs = [(promises.Program(name), place) for name in of]
        page = promises.by_habit(pairs, [score.judge(program.truth, of[program.name]) for program, _ in pairs])
        self.assertEqual([row.split(" | ") for row in page.splitlines()[2:]], [
            ["| `flush-per-line`", "2", "30 to 50 %", "0", "0", "1 of 2 rounds |"],
            ["| `repeated-looks`", "1", "50 to 50 %", "1", "0", "– |"],
            ["| none", "1", "0 %; promised something: 1", "–", "–", "– |"]])
