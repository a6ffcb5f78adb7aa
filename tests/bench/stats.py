# SPDX-License-Identifier: GPL-2.0
"""The benchmark's arithmetic: pure functions of numbers.

What a run of the measuring program gives is the 5 % quantile of its slices: noise only ever adds to a time, and this
is what is left when next to nothing was added. Over the rounds, two figures are made of it: the median with its
quartiles, and the least, which is that of the round that was disturbed least. But where times are given in rounds of a
reference loop, noise in the loop alone makes them too short: such a run is not calm, and no least is taken of it.
"""


def quantile(values, share):
    """The quantile by linear interpolation, as numpy computes it by default."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def least(values, calm=None):
    """The least value of the calm runs; of all if none is calm."""
    there = [value for value in values if value is not None]
    return min([value for value, good in zip(values, calm or ()) if good and value is not None] or there)


def spread(values, calm=None):
    """Least, quartiles and number of the values that are there; None without any."""
    there = [value for value in values if value is not None]
    if not there:
        return None
    return {
        "min": least(values, calm),
        "q1": quantile(there, 0.25),
        "median": quantile(there, 0.5),
        "q3": quantile(there, 0.75),
        "n": len(there),
    }


def added(values, bare, calm=None, bare_calm=None):
    """The spread of what was added, round by round; its least is the difference of the two leasts."""
    rounds = [v - b for v, b in zip(values, bare) if v is not None and b is not None]
    result = spread(rounds)
    if result:
        result["min"] = least(values, calm) - least(bare, bare_calm)
    return result


def ratio(a, b):
    """The ratio of two spreads, by their leasts and by their medians. None if one is missing or nothing can be divided
    by."""
    if not a or not b or b["min"] <= 0 or b["median"] <= 0:
        return None
    return {"min": a["min"] / b["min"], "median": a["median"] / b["median"]}


def judge(measured, at_most, by="min"):
    """Whether a target is met, by the least disturbed round or by the median; None if it was not measured."""
    return None if measured is None else measured[by] <= at_most
