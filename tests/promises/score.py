# SPDX-License-Identifier: GPL-2.0
"""How well what a tool promised agrees with what is true: pure arithmetic on plain data.

A promise is what a tool says that mending something gains:
    {"what": "flush-per-line", "file": "/srv/out", "calls": 1000, "remaining": 10,
     "syscall_ns": [low, high] or None, "wall_ns": [low, high] or None, "cpu_ns": [low, high] or None,
     "reason": why it is wide, or None}
A round is a bare run of the program as it is, and one as mended if there is something to mend, and each under the tool:
    {"wall_s": [bad, good], "cpu_s": [bad, good], "promises": [...]}
"""

import statistics

WORTH = 0.15  # A gain of more than this share of the run is to be found.
WIDE = 2.5  # An interval that is wider than this factor needs a reason.


def total(promises, key):
    """The sum of all intervals. None if there is none."""
    known = [promise[key] for promise in promises if promise.get(key)]
    return (sum(low for low, _ in known), sum(high for _, high in known)) if known else None


def gain(round_, of="wall_s"):
    """Seconds that the mended program gains."""
    bad, good = round_[of]
    return bad - good


def holds(round_, of="wall_s"):
    """Is the gain in the interval? Where CPU time is gained, the wall time that is promised at least must be, too."""
    interval = total(round_["promises"], "cpu_ns" if of == "cpu_s" else "wall_ns")
    if not interval or (of == "cpu_s" and overstates(round_)):
        return False
    return interval[0] <= max(gain(round_, of), 0) * 1e9 <= interval[1]


def overstates(round_):
    """Is a good part of the run promised at least, and not gained?"""
    interval = total(round_["promises"], "wall_ns")
    return bool(interval) and interval[0] / 1e9 > max(gain(round_), 0) + round_["wall_s"][0] * WORTH


def too_wide(promise):
    interval = promise["wall_ns"]
    return bool(interval) and not promise["reason"] and interval[1] > WIDE * interval[0]


def median(values):
    return statistics.median(values) if values else None


def judge(truth, rounds):
    """The judgement of one program. Counts are those of rounds: in how many there was a false promise, and so on."""
    wins, of = truth["wins"], truth.get("of", "wall") + "_s"
    told = [len(round_["promises"]) for round_ in rounds]
    gained = median([gain(round_, of) for round_ in rounds]) if wins else 0
    share = gained / median([round_[of][0] for round_ in rounds])
    return {
        "wins": wins,
        "rounds": len(rounds),
        "wall_s": median([round_["wall_s"][0] for round_ in rounds]),
        "gain_s": gained,
        "share": share,
        "told": max(told),
        "false": sum(map(overstates, rounds)) if of == "cpu_s" else 0 if wins else sum(nr > 0 for nr in told),
        "missed": sum(nr == 0 for nr in told) if wins and share > WORTH else 0,
        "twice": sum(nr > truth.get("causes", 1) for nr in told) if wins else 0,
        "held": sum(holds(round_, of) for round_ in rounds) if wins else 0,
        "promised": sum(nr > 0 for nr in told) if wins else 0,
        "wide": sum(any(map(too_wide, round_["promises"])) for round_ in rounds),
    }


def add_up(judged):
    """The sums over all programs: how many were promised something false, and so on. Intervals are counted by rounds."""
    return {
        "programs": len(judged),
        "without a gain": sum(not one["wins"] for one in judged),
        "false": sum(one["false"] > 0 for one in judged),
        "missed": sum(one["missed"] > 0 for one in judged),
        "twice": sum(one["twice"] > 0 for one in judged),
        "held": sum(one["held"] for one in judged),
        "promised": sum(one["promised"] for one in judged),
        "wide": sum(one["wide"] > 0 for one in judged),
    }
