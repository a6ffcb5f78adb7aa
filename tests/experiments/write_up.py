# SPDX-License-Identifier: GPL-2.0
"""The results of the experiments as a page in Markdown, and as rows of CSV."""

import claims

SHOWN = ("write", "writev", "openat", "close")


def seconds(value, deviation=None):
    """Seconds with three digits, in the unit that they are good to read in, which a deviation shares."""
    if not value:
        return "0"
    if value >= 7200:
        unit, scale = "h", 1 / 3600
    elif value >= 120:
        unit, scale = "min", 1 / 60
    else:
        unit, scale = next(of for of in (("s", 1), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)) if value * of[1] >= 1 or of[0] == "ns")
    text = f"{value * scale:#.3g}".rstrip(".")
    decimals = len(text.partition(".")[2])
    return text + (f" ± {deviation * scale:.{decimals}f}" if deviation is not None else "") + f" {unit}"


def table(headings, rows, left=1):
    yield "| " + " | ".join(headings) + " |"
    yield "|" + "|".join(" :--- " if i < left else " ---: " for i in range(len(headings))) + "|"
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"


def summary(results):
    rows = []
    for result in results:
        for claim in result.group.claims:
            verdict, measured = claim.judge(result)
            rows.append((claim.experiment, claim.text, measured, verdict))
    return table(["", "claim", "here", "verdict"], rows, 4)


def programs(result):
    first = result.group.sides[0].name
    for side in result.group.sides:
        name = side.name
        deviation = result.figure(name, "wall_ns", key="deviation") / 1e9 if result.runs > 1 else None
        yield (name, side.published, seconds(result.wall(name), deviation),
               f"{result.factor(name, first):.3f}", *(f"{result.calls(name, syscall):,}" for syscall in SHOWN),
               seconds(result.figure(name, "total_ns", "total") / 1e9),
               seconds(result.figure(name, "traced_wall_ns") / 1e9))


def under_strace(result):
    for side in result.group.sides:
        small = result.strace[side.name]
        factor = result.lines / small.lines
        traced = result.figure(side.name, "traced_wall_ns") / 1e9
        yield (side.name, f"{small.lines:,}", *(f"{small.calls.get(syscall, 0):,}" for syscall in SHOWN),
               f"{sum(small.calls.values()):,}",
               seconds(small.wall), seconds(small.wall * factor), seconds(small.in_calls * factor),
               f"{small.wall * factor / traced:,.0f}")


def timings(result):
    for side, own in result.timing.items():
        def per_call(syscall):
            calls = result.calls(side, syscall)
            return seconds(result.figure(side, "total_ns", syscall) / calls / 1e9) if calls else "–"

        yield (side, *(seconds(own[key]) for key in ("average", "maximum", "minimum")), *map(per_call, ("openat", "write", "close")))


def where(result):
    stdout = result.a_run()["stdout"]
    if result.group.stdout == "terminal":
        return "Standard output is a pseudo-terminal with a reader."
    if result.group.stdout == "file":
        return f"Standard output is a file on {stdout['fstype']}."
    return "The programs write to a file of their own."


def section(result):
    group = result.group
    yield from (f"## {group.title}", "", group.about, "")
    yield "```"
    for side in group.sides:
        yield side.command.format(n=result.lines, output="FILE")
    yield from ("```", "")
    for claim in group.claims:
        verdict, measured = claim.judge(result)
        yield f"- Experiment {claim.experiment}: {claim.text}. **{verdict.capitalize()}**: {measured}."
    yield ""
    yield f"{result.lines:,} lines; {result.runs} runs of each in turns, traced and without iotrace. {where(result)}"
    yield ""
    yield from table(["program", "published", "wall time", "ratio", *SHOWN, "in calls", "under iotrace"],
                     programs(result), 2)
    yield ""
    if result.timing:
        yield "What the loggers say of their own lines, and what iotrace says of the system calls in them, on average:"
        yield ""
        yield from table(["program", "average", "maximum", "minimum", "an `openat`", "a `write`", "a `close`"], timings(result))
        yield ""
    yield f"Under `strace -f -c`, and what it would have taken for {result.lines:,} lines:"
    yield ""
    yield from table(["program", "lines", *SHOWN, "all calls", "wall time", "all lines: wall time", "in calls", "÷ under iotrace"], under_strace(result))
    yield ""


def summarized(results, took, today):
    """Where and when all of it ran, and what became of the claims."""
    run, scale = results[0].a_run(), results[0].lines / results[0].group.lines
    yield (f"{today}, {run['cpu']['model']}, {run['cpu']['count']} CPUs, Linux {run['kernel']}, iotrace {run['iotrace']} "
           f"({run['backend']}); {'the published numbers of lines' if scale == 1 else f'{scale:g} times the published lines'}; "
           f"all of it took {seconds(took)}.")
    yield ""
    yield from summary(results)


def summary_page(results, took, today):
    return "\n".join(summarized(results, took, today)) + "\n"


def markdown(results, took, today):
    lines = ["# The published experiments, under iotrace", ""]
    lines += ["Five write-ups say that it is slow to flush a C++ stream after each line, and to open a log file for each line. "
              "Their programs ran here under iotrace, which counted their system calls, and without it, which gave the wall "
              "times. The ratio is that of the wall times to the first program's. The time in calls is what iotrace measured, and "
              "holds a small part of what tracing adds to a call.", ""]
    lines += summarized(results, took, today)
    lines += ["", "![The factors, as published and as measured](experiments.svg)", ""]
    lines += [" ".join(claims.__doc__.split("\n\n", 1)[1].split("\n")), ""]
    for result in results:
        lines += section(result)
    return "\n".join(lines).rstrip("\n") + "\n"


def csv_rows(results):
    yield ["group", "experiments", "program", "lines", "runs", "wall_ns", "wall_deviation_ns", "ratio", *SHOWN, "bytes",
           "calls_ns", "traced_wall_ns", "own_average_ns", "own_maximum_ns", "own_minimum_ns",
           "strace_lines", "strace_wall_ns", "strace_calls_ns"]
    for result in results:
        group = result.group
        for side in group.sides:
            name, own, small = side.name, result.timing.get(side.name), result.strace[side.name]
            yield [group.name, " ".join(sorted({claim.experiment for claim in group.claims})), name, result.lines, result.runs,
                   round(result.figure(name, "wall_ns")), round(result.figure(name, "wall_ns", key="deviation")),
                   f"{result.factor(name, group.sides[0].name):.6f}", *(result.calls(name, syscall) for syscall in SHOWN),
                   round(result.figure(name, "bytes", "total")), round(result.figure(name, "total_ns", "total")),
                   round(result.figure(name, "traced_wall_ns")),
                   *(round(own[key] * 1e9) if own else "" for key in ("average", "maximum", "minimum")),
                   small.lines, round(small.wall * 1e9), round(small.in_calls * 1e9)]
