# SPDX-License-Identifier: GPL-2.0
"""The factors of the experiments, as published and as measured, as an SVG that gnuplot draws."""

import subprocess

HEAD = """set terminal svg size 760,{height} font 'sans-serif,13' background '#ffffff' noenhanced
set output '{path}'
set title 'The factors of the published experiments'
set xlabel 'factor of the times'
set logscale x
set xrange [{low}:{high}]
set xtics nomirror (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
set ytics nomirror scale 0 ({labels})
set yrange [{last}.6:-0.6]
set grid x
set border 3
set arrow from 1,graph 0 to 1,graph 1 nohead lw 1 lc rgb '#808080'
set style fill solid 1 noborder
set key outside below center horizontal
"""
KINDS = (("published", "#56B4E9", -0.19), ("measured", "#D55E00", 0.19))


def plain(path):
    """Quotes for gnuplot: in single quotes, only a quote means something."""
    return path.replace("'", "''")


def rows_of(results):
    """The name of each claim of a factor, with the factor published and the factor measured."""
    return [claim.factor(result) for result in results for claim in result.group.claims if claim.factor]


def script(path, results):
    rows = rows_of(results)
    factors = [factor for _, *both in rows for factor in both]
    if not factors:
        return None
    text = HEAD.format(height=110 + 50 * len(rows), path=plain(path), last=len(rows) - 1, low=min(0.5, min(factors) / 1.5),
                       high=2 * max(factors), labels=", ".join(f"'{label}' {place}" for place, (label, *_) in enumerate(rows)))
    plots = []
    for which, (name, color, shift) in enumerate(KINDS):
        values = "\n".join(f'{both[which]:.4f} {place + shift} "{both[which]:.3g}"' for place, (_, *both) in enumerate(rows))
        text += f"${name} << EOD\n{values}\nEOD\n"
        plots.append(f"${name} using 1:2:(1):1:($2-0.17):($2+0.17) with boxxyerror lc rgb '{color}' title '{name}'")
        plots.append(f"'' using ($1 > 1 ? $1 : 1):2:3 with labels left offset 0.5,0 notitle")
    return text + "plot " + ", ".join(plots) + "\n"


def draw(path, results):
    """Draws the picture. Groups without a factor have none."""
    text = script(path, results)
    if text:
        subprocess.run(["gnuplot", "-d", "-"], input=text, text=True, check=True)
