# SPDX-License-Identifier: GPL-2.0
"""The results as JSON, and as Markdown, which is also what is printed."""

import datetime
import json
import os

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


def least(values):
    return number(values["min"]) if values else "-"


def targets_section(targets):
    words = {True: "yes", False: "**no**", None: "not measured"}
    rows = [[row["what"], small(row["measured"] and row["measured"]["min"]),
             small(row["measured"] and row["measured"]["median"]),
             small(row["bound"]["min"]) if row.get("bound") else "", "" if row["at_most"] is None else row["at_most"],
             "" if row["at_most"] is None else words[row["met"]]]
            for row in targets]
    return "## Targets\n\n" + table(["what", "measured", "by medians", "the floor", "at most", "met"], rows) + """
Ratios of what is added to a call, of figures taken in this one run. Measured: in the rounds that were disturbed least,
by which a target is judged, except those beside strace. By medians: of all rounds, by which those are. On a machine
that does nothing else the two are the same. The floor: what the ratio would be for a tool that did nothing but read the
clock twice; no target below that can be met where a latency is measured. Of a start, and of its memory: what two probes
that do nothing take, which libbpf loads and attaches.
"""


def phase_table(calls, phase):
    floor = calls["phases"][phase].get("floor", {}).get("added")
    rows = []
    for name, figures in calls["phases"][phase].items():
        call, extra = figures["call"], figures["added"]
        if not call:
            continue
        bare = calls["tools"][name]["group"] == "bare"
        per_floor = extra["min"] / floor["min"] if floor and extra and floor["min"] > 0 and not bare else None
        rows.append([name, least(call), "" if bare else least(extra), "" if bare else quartiles(extra),
                     "" if bare else number(per_floor, 2)])
    return table(["", "ns per call", "added, least", "added, quartiles", "÷ floor"], rows)


def calls_section(calls):
    text = "## What is added to one write of 4 bytes\n"
    for phase in calls["phases"]:
        text += f"\n### {PHASE_TITLES[phase]}\n\n" + phase_table(calls, phase)
    text += "\n" + "".join(f"- {name}: {tool['what']}\n" for name, tool in calls["tools"].items())
    return text + f"\nCalls that iotrace lost in all of these runs: {calls['lost']}.\n"


def switches_section(results):
    rows = [[name, least(figures["switch"]), "" if name == "bare" else least(figures["added"]),
             "" if name == "bare" else quartiles(figures["added"])] for name, figures in results.items()]
    return "## What is added to a context switch of another process\n\n" + \
        table(["", "ns per switch", "added, least", "added, quartiles"], rows)


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
        rows.append([point if isinstance(point, str) else f"{point:,}", least(row["bare"]["call"])] +
                    [cell for name in names
                     for cell in (least(row[name].get("added")), quartiles(row[name].get("added")))])
    heads = [series["unit"] or "selected", "bare, ns"]
    return table(heads + [cell for name in names for cell in (f"{name}: added, least", "quartiles")], rows)


def growth_section(growth):
    text = "## How it grows\n\nns per call without iotrace, and what it adds.\n"
    for series in growth.values():
        text += f"\n### {series['title']}\n\n" + growth_table(series) + f"\nLost calls: {series['lost']}.\n"
    return text


def machine_section(results):
    m = results["machine"]
    lines = [f"{m['cpu']}, {m['cpus']} CPUs, {m['memory_kib'] / 1024 ** 2:.1f} GiB; Linux {m['kernel']} {m['arch']}; "
             f"clock {m['clocksource']}; files on {m['filesystem']}; load {m['load_at_start']:.1f} when it began.",
             "; ".join(f"{name}: {text}" for name, text in m["versions"].items()) + ".",
             f"{m['rounds']} rounds, {m['ms_per_phase']} ms a phase, {results['seconds']:.0f} s in all."]
    return "## Where\n\n" + "\n".join(lines) + "\n" + "".join(f"\n- {note}" for note in results["notes"]) + "\n"


def place(results):
    m = results["machine"]
    return f"{datetime.date.today()}, {m['cpu']}, {m['cpus']} CPUs, Linux {m['kernel']}, clock {m['clocksource']}"


def page(results):
    """The part of tests/bench/README.md that a whole run writes."""
    return "\n".join([place(results) + ".\n",
                      "## One `write` of 4 bytes to the null device\n", phase_table(results["calls"], "null:1:write"),
                      targets_section(results["targets"]), process_section(results["process"]),
                      starting_section(results["starting"])])


def summary(results):
    """The part of README.md that a whole run writes."""
    tools, starts = results["calls"]["phases"]["null:1:write"], results["process"]["starts"]

    def extra(name):
        return f"{number(tools[name]['added']['min'], 0)} ns"

    return (f"- To a `write` of 4 bytes to the null device, which takes {least(tools['bare']['call'])} ns, iotrace adds "
            f"{extra('iotrace')}, and without files {extra('iotrace --no-files')}; two reads of the clock, which a latency takes, "
            f"are {extra('floor')} of them.\n"
            f"- `strace -f -c` adds {extra('strace -f -c')}.\n"
            f"- `iotrace -- true` takes {number(starts['iotrace']['ms']['median'], 0)} ms ({place(results)}).\n")


def markdown(results):
    sections = ["# What tracing costs\n\nMade by `make bench`.\n"]
    if results["targets"]:
        sections.append(targets_section(results["targets"]))
    if "calls" in results:
        sections.append(calls_section(results["calls"]))
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
    print("\n" + text)
