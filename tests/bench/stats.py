# SPDX-License-Identifier: GPL-2.0
"""The benchmark's arithmetic: pure functions of numbers.

One run of the measuring program under a tool gives one figure, the 5 % quantile of its slices: noise only ever adds to a
time, and this is what is left when next to nothing was added. But the kernel puts the compiled probes elsewhere at each
load, which is worth some ns, so one load says little. Each round loads each tool anew, and a figure is the median over
the rounds, with its 95 % interval by the bootstrap: the medians of as many rounds drawn with replacement (Efron and
Tibshirani, An Introduction to the Bootstrap, 13.3). What is compared is drawn together, round by round, because the
machine's state is common to the tools of a round.
"""

import math
import random

DRAWS = 2000
SHARE = 0.95
MOST_ROUNDS = 1000  # More rounds than these are not asked for.


def quantile(values, share):
    """By linear interpolation, as numpy's default."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def median(values):
    return quantile(values, 0.5)


def interval(rows, figure):
    """The ends of the 95 % interval of a figure of rows, by the bootstrap. The same rows always give the same ends."""
    generator = random.Random(len(rows))
    drawn = [figure(generator.choices(rows, k=len(rows))) for _ in range(DRAWS)]
    drawn = [value for value in drawn if value is not None]
    return (quantile(drawn, (1 - SHARE) / 2), quantile(drawn, (1 + SHARE) / 2)) if drawn else (None, None)


def spread(values):
    """Of the values that are there: median, its interval, quartiles and number. None without any."""
    there = [value for value in values if value is not None]
    if not there:
        return None
    low, high = interval(there, median)
    return {"median": median(there), "low": low, "high": high, "q1": quantile(there, 0.25), "q3": quantile(there, 0.75),
            "n": len(there), "rounds": values}


def added(values, bare):
    """The spread of what was added, round by round."""
    return spread([v - b if v is not None and b is not None else None for v, b in zip(values, bare)])


def together(a, b):
    """The rounds in which both of two spreads have a value, as pairs."""
    if not a or not b:
        return []
    return [(x, y) for x, y in zip(a["rounds"], b["rounds"]) if x is not None and y is not None]


def of_medians(function):
    """A figure of pairs: the function of the medians of both halves."""
    return lambda pairs: function(median([a for a, _ in pairs]), median([b for _, b in pairs]))


def compared(a, b, function):
    """A function of the medians of two spreads, by the rounds that have both: median, interval, number. None without."""
    pairs = together(a, b)
    figure = of_medians(function)
    value = figure(pairs) if pairs else None
    if value is None:
        return None
    low, high = interval(pairs, figure)
    return {"median": value, "low": low, "high": high, "n": len(pairs)}


def ratio(a, b):
    """None if one is missing, or nothing can be divided by."""
    return compared(a, b, lambda x, y: x / y if y > 0 else None)


def difference(a, b):
    return compared(a, b, lambda x, y: x - y)


def exactly(value):
    """A figure without an interval, such as a number of calls."""
    return {"median": value, "low": value, "high": value, "n": 1}


def judge(measured, at_most):
    """Is a target met? "met" and "not met" if all of the interval says so, else "cannot tell". None: not measured."""
    if measured is None:
        return None
    if measured["high"] <= at_most:
        return "met"
    return "not met" if measured["low"] > at_most else "cannot tell"


def target(what, measured, at_most, **more):
    """A row of the targets' table."""
    return {"what": what, "measured": measured, "at_most": at_most, "met": judge(measured, at_most), **more}


def rounds_needed(measured, at_most):
    """How many rounds would tell, if the median stays: an interval's width falls with the root of their number. None:
    more than MOST_ROUNDS."""
    distance = abs(measured["median"] - at_most)
    reach = max(measured["high"] - measured["median"], measured["median"] - measured["low"])
    if not distance or measured["n"] * (reach / distance) ** 2 > MOST_ROUNDS:
        return None
    return math.ceil(measured["n"] * (reach / distance) ** 2)
