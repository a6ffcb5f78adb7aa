# SPDX-License-Identifier: GPL-2.0
"""The results as JSON, and as Markdown, which is also what is printed."""

import datetime
import json
import os

from stats import ratio, rounds_needed

MAIN = "null:1:write"
CHEAP_FLOOR_NS = 150  # Two reads of the clock, and probes that do nothing else, take less than this where it is cheap.
PHASE_TITLES = {
    "null:1:write": "null device, 1 thread",
    "null:2:write": "null device, 2 threads",
    "file:1:write": "regular file, 1 thread",
    "file:2:write": "regular file, 2 threads",
    "null:1:pwrite64": "`pwrite64`, null device, 1 thread",
}


def table(heads, rows):
    """A GitHub table whose columns are aligned for the eye too; the first is text, the others figures."""
    cells = [[str(cell) for cell in row] for row in [heads] + rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(heads))]
    lines = []
    for row in cells:
        padded = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("| " + " | ".join(padded) + " |")
    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    lines.insert(1, "| " + " | ".join(rule) + " |")
    return "\n".join(lines) + "\n"


def number(value, digits=1):
    """A number with about three significant digits."""
    if value is None:
        return "-"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{digits}f}"


def small(value):
    return "-" if value is None else f"{value:.4f}" if value < 0.1 else f"{value:.2f}"


def quartiles(values, digits=1):
    if not values:
        return "-"
    return " / ".join(number(values[key], digits) for key in ("q1", "median", "q3"))


def middle(values, digits=1):
    return number(values["median"], digits) if values else "-"


def within(values, digits=1):
    """The interval of a figure."""
    return f"{number(values['low'], digits)} to {number(values['high'], digits)}" if values else "-"


def verdict(row):
    """The words of a target: of one that cannot be told, how many rounds would tell."""
    if row["at_most"] is None:
        return ""
    if row["met"] != "cannot tell":
        return {"met": "met", "not met": "**not met**", None: "not measured"}[row["met"]]
    needed = rounds_needed(row["measured"], row["at_most"])
    return "cannot tell: " + (f"{needed} rounds would" if needed else "it is at the limit")


def targets_section(targets):
    rows = [[row["what"], small(row["measured"] and row["measured"]["median"]),
             f"{small(row['measured']['low'])} to {small(row['measured']['high'])}" if row["measured"] else "",
             small(row["bound"]["median"]) if row.get("bound") else "", "" if row["at_most"] is None else row["at_most"], verdict(row)]
            for row in targets]
    return "## Targets\n\n" + table(["what", "measured", "95 % interval", "the floor", "at most", "verdict"], rows) + """
Ratios of what is added to a call: medians over the rounds, of which each loads each tool anew, and their intervals by the
bootstrap. A target is met, or not, if all of the interval says so. The floor: what the ratio would be for a tool that did
nothing but read the clock twice; no target below that can be met where a latency is measured. Of a start, and of its
memory: what two probes that do nothing take, which libbpf loads and attaches.
"""


def contradictions_section(rows):
    if not rows:
        return ""
    return "## Contradictions\n\n" + "".join(
        f"- {row['more']} does all that {row['less']} does, but adds {number(-row['by']['median'])} ns less "
        f"({number(-row['by']['high'])} to {number(-row['by']['low'])}).\n" for row in rows) + \
        "\nSo differences of that size between other rows say nothing either.\n"


def phase_table(calls, phase, emulated=None):
    """emulated: the probes' instructions by tool, if they were counted."""
    figures = calls["phases"][phase]
    floor = figures.get("floor", {}).get("added")
    counted = any(row["instructions"] for row in figures.values())
    heads = ["", "ns per call", "added", "95 % interval", "÷ floor", "95 % interval"]
    heads += (["instructions"] if counted else []) + (["emulated"] if emulated else [])
    rows = []
    for name, row in figures.items():
        if not row["call"]:
            continue
        cells = [name, middle(row["call"])]
        if calls["tools"][name]["group"] == "bare":
            cells += [""] * (len(heads) - 2)
        else:
            per_floor = ratio(row["added"], floor)
            cells += [middle(row["added"]), within(row["added"]), middle(per_floor, 2), within(per_floor, 2)]
            cells += [middle(row["instructions"], 0)] if counted else []
            cells += [number(emulated.get(name.removesuffix(" (beside)")), 0)] if emulated else []
        rows.append(cells)
    return table(heads, rows)


def main_table(results):
    """The phase that the targets are about, with the instructions that the emulator has counted."""
    counted = results.get("emulated")
    text = phase_table(results["calls"], MAIN, counted and counted["instructions"])
    if counted:
        text += f"\nEmulated: the instructions of the probes and around them on {counted['kernel']}, by `make kernel-cost`.\n"
    return text


def calls_section(results):
    calls = results["calls"]
    text = "## What is added to one write of 4 bytes\n"
    for phase in calls["phases"]:
        text += f"\n### {PHASE_TITLES[phase]}\n\n" + (main_table(results) if phase == MAIN else phase_table(calls, phase))
    text += "\n" + "".join(f"- {name}: {tool['what']}\n" for name, tool in calls["tools"].items())
    return text + f"\nCalls that iotrace lost in all of these runs: {calls['lost']}.\n"


def switches_section(results):
    rows = [[name, middle(figures["switch"])] + (["", ""] if name == "bare" else [middle(figures["added"]), within(figures["added"])])
            for name, figures in results.items()]
    return "## What is added to a context switch of another process\n\n" + \
        table(["", "ns per switch", "added", "95 % interval"], rows)


def process_section(results):
    rows = [[name, quartiles(figures["ms"]), number(figures["mib"]["median"])]
            for name, figures in results["starts"].items()]
    text = "## Whole processes\n\n### `TOOL true`, from start to end\n\n"
    text += table(["", "ms, quartiles", "peak MiB"], rows)
    kernel = [[name, number(kib, 0)] for name, kib in results["kernel_kib"].items() if kib is not None]
    if kernel:
        text += "\n### Memory of iotrace's maps in the kernel\n\n" + table(["", "KiB"], kernel)
    loop = results["loop"]
    rows = [[name, number(seconds["median"], 2), number(loop["ratio"][name] and loop["ratio"][name]["median"], 2)]
            for name, seconds in loop["seconds"].items()]
    text += f"\n### `endl_loop -n {loop['n']}` to the null device\n\n" + table(["", "seconds", "÷ bare"], rows)
    return text


def starting_rows(modes):
    parts = list(dict.fromkeys(part for figures in modes.values() for part in figures))
    return [[part] + [quartiles(figures.get(part)) for figures in modes.values()] for part in parts]


def starting_section(results):
    parts, loads = results["parts"], results["loads"]
    rows = starting_rows(parts)
    rows.append(["all of it"] + [number(sum(values["median"] for values in figures.values()))
                                 for figures in parts.values()])
    return "## Where the time of `iotrace -- true` goes\n\nms, quartiles; the last row is the sum of the medians.\n\n" + \
        table([""] + list(parts), rows) + "\nThe loads of the probes, of which large ones are beside the others:\n\n" + \
        table([""] + list(loads), starting_rows(loads))


def growth_table(series):
    names = [key for key in series["rows"][0] if key not in ("bare", "point")]
    rows = []
    for row in series["rows"]:
        point = row["point"]
        rows.append([point if isinstance(point, str) else f"{point:,}", middle(row["bare"]["call"])] +
                    [cell for name in names
                     for cell in (middle(row[name].get("added")), within(row[name].get("added")))])
    heads = [series["unit"] or "selected", "bare, ns"]
    return table(heads + [cell for name in names for cell in (f"{name}: added", "95 % interval")], rows)


def growth_section(growth):
    text = "## How it grows\n\nns per call without iotrace, and what it adds.\n"
    for series in growth.values():
        text += f"\n### {series['title']}\n\n" + growth_table(series) + f"\nLost calls: {series['lost']}.\n"
    return text


def machine_section(results):
    m = results["machine"]
    lines = [f"{m['cpu']}, {m['cpus']} CPUs, {m['memory_kib'] / 1024 ** 2:.1f} GiB; Linux {m['kernel']} {m['arch']}; "
             f"clock {m['clocksource']}; mitigations: {m['mitigations']}; files on {m['filesystem']}; load {m['load_at_start']:.1f} when it began.",
             "; ".join(f"{name}: {text}" for name, text in m["versions"].items()) + ".",
             f"{m['rounds']} rounds, {m['ms_per_phase']} ms a phase, {results['seconds']:.0f} s in all."]
    return "## Where\n\n" + "\n".join(lines) + "\n" + "".join(f"\n- {note}" for note in results["notes"]) + "\n"


def clock(results):
    floor = results["calls"]["phases"][MAIN]["floor"]["added"]
    return "cheap" if floor["median"] < CHEAP_FLOOR_NS else "dear"


def machine_name(results):
    """What tells the machines of tests/bench/README.md apart."""
    return f"{results['machine']['cpu']}, {results['machine']['clocksource']}"


def place(results):
    m = results["machine"]
    return f"{datetime.date.today()}, {m['cpu']}, {m['cpus']} CPUs, Linux {m['kernel'].partition('-')[0]}, clock {m['clocksource']}"


def page(results):
    """What tests/bench/README.md has of a whole run."""
    m = results["machine"]
    sections = [f"# {machine_name(results)}\n", f"{place(results)} ({clock(results)}); mitigations: {m['mitigations']}. "
                f"{m['rounds']} rounds.\n",
                "## One `write` of 4 bytes to the null device\n", main_table(results),
                targets_section(results["targets"]), contradictions_section(results["contradictions"]),
                process_section(results["process"]), starting_section(results["starting"])]
    return ("\n" + "\n".join(sections)).replace("\n#", "\n##")


def summary(results):
    """What README.md has of it."""
    tools, starts = results["calls"]["phases"][MAIN], results["process"]["starts"]

    def extra(name):
        return f"{number(tools[name]['added']['median'], 0)} ns"

    return (f"- To a `write` of 4 bytes to the null device, which takes {middle(tools['bare']['call'])} ns, iotrace adds "
            f"{extra('iotrace')}, and without files {extra('iotrace --no-files')}; two reads of the clock, which a latency takes, "
            f"are {extra('floor')} of them.\n"
            f"- `strace -f -c` adds {extra('strace -f -c')}.\n"
            f"- `iotrace -- true` takes {number(starts['iotrace']['ms']['median'], 0)} ms ({place(results)}).\n")


def markdown(results):
    sections = ["# What tracing costs\n\nMade by `make bench`.\n"]
    if results["targets"]:
        sections.append(targets_section(results["targets"]))
    if "calls" in results:
        sections.append(calls_section(results))
    if "switches" in results:
        sections.append(switches_section(results["switches"]))
    if "process" in results:
        sections.append(process_section(results["process"]))
    if results.get("starting"):
        sections.append(starting_section(results["starting"]))
    if "growth" in results:
        sections.append(growth_section(results["growth"]))
    if results["plotted"]:
        sections.append("![What is added, and how it grows](bench.svg)\n")
    if results.get("contradictions"):
        sections.append(contradictions_section(results["contradictions"]))
    sections.append(machine_section(results))
    return "\n".join(sections)


def write(results, build):
    with open(os.path.join(build, "bench.json"), "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
    text = markdown(results)
    with open(os.path.join(build, "bench.md"), "w", encoding="utf-8") as file:
        file.write(text)
    if all(part in results for part in ("calls", "process", "starting")) and "strace -f -c" in results["calls"]["tools"]:
        for name, of in (("page", page), ("summary", summary)):
            with open(os.path.join(build, f"bench-{name}.md"), "w", encoding="utf-8") as file:
                file.write(of(results))
        with open(os.path.join(build, "bench-machine"), "w", encoding="utf-8") as file:
            file.write(machine_name(results))
    print("\n" + text)
