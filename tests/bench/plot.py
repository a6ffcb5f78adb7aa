# SPDX-License-Identifier: GPL-2.0
"""The results as one SVG, by gnuplot if it is installed: what each tool adds to a call, and how that grows."""

import os
import subprocess

import tools


def quote(text):
    return '"' + str(text).replace('"', "'") + '"'


def block(name, lines):
    return f"${name} << EOD\n" + "\n".join(lines) + "\nEOD\n"


def calls_panel(calls):
    phase = calls["phases"]["null:1:write"]
    shown = [(name, figures["added"]) for name, figures in phase.items()
             if name != "bare" and figures["added"] and figures["added"]["median"] > 0
             and calls["tools"][name]["group"] != "bystander"]
    shown.sort(key=lambda item: item[1]["median"], reverse=True)
    rows = [f"{quote(name)} {values['median']:.2f} {place}" for place, (name, values) in enumerate(shown)]
    return block("calls", rows) + f"""
set title "Added to one write of 4 bytes to the null device, 1 thread"
set xlabel "ns (logarithmic)"
set ylabel ""
set logscale x
set xrange [5:{3 * max(values['median'] for _, values in shown):.0f}]
set yrange [-0.6:{len(rows) - 0.4}]
set style fill solid 0.7
unset key
plot $calls using (5):3:(5):2:($3-0.35):($3+0.35):yticlabels(1) with boxxyerror lc rgb "#4477aa", \\
     $calls using 2:3:(sprintf("  %.0f", $2)) with labels left
unset logscale
set autoscale
set ytics auto
"""


def growth_panel(name, series):
    names = [key for key in series["rows"][0] if key not in ("bare", "point")]
    labels = all(isinstance(row["point"], str) for row in series["rows"])
    plots, text = [], ""
    for number, key in enumerate(names):
        rows = []
        for place, row in enumerate(series["rows"]):
            values = row[key].get("added")
            if values:
                x = place if labels else row["point"]
                rows.append(f"{x} {values['median']:.2f} {quote(row['point'])}")
        text += block(f"{name}{number}", rows)
        columns = "1:2:xticlabels(3)" if labels else "1:2"
        plots.append(f"${name}{number} using {columns} with linespoints pt 7 title {quote(key)}")
    scale = f"unset logscale x\nset xrange [-0.5:{len(series['rows']) - 0.5}]" if labels else "set logscale x\nset xrange [*:*]"
    return text + f"""
set title {quote(series['title'])}
set xlabel {quote(series['unit'])}
set ylabel "ns added to a call"
{scale}
set yrange [0:*]
set key bottom right
plot {', '.join(plots)}
set xtics auto
"""


def starting_panel(results):
    """A bar of each mode, made of its parts, whose names are in the table."""
    parts = list(dict.fromkeys(part for figures in results.values() for part in figures))
    rows, at = [], {name: 0 for name in results}
    for number, part in enumerate(parts):
        for place, (name, figures) in enumerate(results.items()):
            ms = figures.get(part, {}).get("median", 0)
            rows.append(f"{at[name]:.3f} {at[name] + ms:.3f} {place} {number} {quote(name)}")
            at[name] += ms
    plots = [f'$starting using ($4=={number}?$1:1/0):3:1:2:($3-0.3):($3+0.3):ytic(5) with boxxyerror lc {number + 1} '
             f'title {quote(part)}' for number, part in enumerate(parts)]
    return block("starting", rows) + f"""
set title "iotrace -- true, by part"
set xlabel "ms"
set ylabel ""
set xrange [0:*]
set yrange [-0.5:{len(results) + 0.3 * len(parts) + 0.5}]
set style fill solid 0.7
set key top right
plot {", ".join(plots)}
set autoscale
set ytics auto
"""


def write(results, build):
    """True if there is a picture now."""
    gnuplot = tools.find("gnuplot")
    path = os.path.join(build, "bench.svg")
    if os.path.exists(path):
        os.unlink(path)
    growth = results.get("growth", {})
    panels = ([calls_panel(results["calls"])] if "calls" in results else []) + \
        ([starting_panel(results["starting"]["parts"])] if results.get("starting") else []) + \
        [growth_panel(name, series) for name, series in growth.items()]
    if not gnuplot or not panels:
        return False
    rows = (len(panels) + 1) // 2
    script = f"set terminal svg size 1300,{420 * rows} font 'sans,12' background 'white'\n"
    script += f"set output {quote(path)}\nset grid\nset multiplot layout {rows},2\n"
    # A here document cannot stand inside a multiplot's plot command, but between them it can.
    done = subprocess.run([gnuplot], input=script + "".join(panels) + "unset multiplot\n", text=True,
                          capture_output=True, check=False)
    if done.returncode:
        print("bench: gnuplot: " + tools.last_line(done.stderr))
    return done.returncode == 0
