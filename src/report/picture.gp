# SPDX-License-Identifier: GPL-2.0
# The picture of a run or of a comparison: panels below each other, with bars or curves.
#
# What is drawn stands before this script, by these names; P is the number of a panel:
#   extension             the file format: "svg", "png" or "pdf"
#   sides, side0, ...     how many sides a comparison has, and their names (0 sides: a run)
#   panels                how many panels there are
#   titleP, kindP         the title of a panel; "bars", "steps" (curves of histograms) or "lines"
#   xP, yP                what its axes show: "ns", "bytes", "count", "percent" or "seconds"
#   xtitleP, ytitleP      the titles of its axes
#   nameP_0, widthP_0 ... the names of its bars, from the top, or of some of its curves, and the
#                         columns that each takes on a terminal
#   $data                 a dataset for each panel: a row of "-1 0 0 0", and then of bars the side,
#                         the number of the bar, the length, and the standard deviation; or of
#                         curves the number, 0, x, and y, with 50 or 99 for 0 at the percentile;
#                         the points of a curve stand together, in the order of x
# A name may be any text: none becomes part of a command, as gnuplot would run what is in it.

# Lengths are in pixels of SVG.
width = 900
legend_height = sides ? 22 * sides + 10 : 0
curves_height = 300
bars_height(rows) = 88 + rows * (20 * max(sides, 1) + 10)
least_left = 150   # so that panels stand below each other
letter = 8.2
right = 170

# Bars stand on a linear axis if none is longer than another by more than this.
max_linear = 50
# The rare calls that took longer than this many times the longest p99 are beyond the curves.
tail = 4

# The colors of Okabe and Ito (Color Universal Design, 2008), which colour-blind readers tell apart.
colors = "#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000"
color(i) = word(colors, i % words(colors) + 1)
# More curves than colors are dashed.
dash(i) = i < words(colors) ? 1 : 2 + (i / words(colors) - 1) % 4

min(a, b) = a < b ? a : b
max(a, b) = a > b ? a : b
log2(v) = log(v) / log(2)

# ---- what stands before ----

the(what) = value(sprintf("%s%d", what, panel))
known(name, otherwise) = exists(name) ? value(name) : otherwise
name_of(i) = known(sprintf("name%d_%d", panel, i), "")
width_of(i) = known(sprintf("width%d_%d", panel, i), 0)
# The text beside a tick is a format.
plain(s) = strstrt(s, "%") ? s[1:strstrt(s, "%")] . "%" . plain(s[strstrt(s, "%") + 1:*]) : s

# These look at the columns of a row of $data.
point(v) = $1 >= 0 && (bars || $2 == 0) && v > 0 ? v : 0
of_side(i) = $1 == i ? $3 : NaN
of_curve(i, percentile) = $1 == i && $2 == percentile ? $3 : NaN
bar_at(i) = 0.4 - thick * (i + 0.5) - $2

# ---- figures as the tables have them ----

# Three digits of a time, but whole seconds.
rounded(v, step) = floor(v / step + 0.5) * step
unit(v) = v < 1e3 ? sprintf("%.0fns", v) : v < 1e6 ? sprintf("%.10gus", v / 1e3) : \
	v < 1e9 ? sprintf("%.10gms", v / 1e6) : sprintf("%.10gs", v / 1e9)
ns(v) = unit(rounded(v, v < 1e3 ? 1 : 10.0 ** min(floor(log10(v)) - 2, 9)))
count(v) = v < 1e3 ? sprintf("%.0f", v) : v < 1e6 ? sprintf("%.0fk", v / 1e3) : \
	v < 1e9 ? sprintf("%.0fM", v / 1e6) : v < 1e12 ? sprintf("%.0fG", v / 1e9) : \
	sprintf("%.0fT", v / 1e12)
bytes(e) = sprintf("%d %s", 2 ** (e % 10), word("B KiB MiB GiB TiB PiB EiB", e / 10 + 1))
bar_text(v) = the("x") eq "ns" ? ns(v) : sprintf(v == floor(v) ? "%.0f" : "%.1f", v)

# ---- the page ----

height = legend_height
do for [panel = 0 : panels - 1] {
	stats $data index panel using 2 nooutput
	height = height + (the("kind") eq "bars" ? bars_height(STATS_max + 1) : curves_height)
}
height = 1.0 * (height > 0 ? height : curves_height)
if (extension eq "svg") {
	set terminal svg size width, height noenhanced font 'sans-serif,12' background '#ffffff'
}
if (extension eq "png") {
	set terminal pngcairo size 2 * width, 2 * height noenhanced font 'sans-serif,12' \
		fontscale 2 linewidth 2 pointscale 2
}
if (extension eq "pdf") {
	set terminal pdfcairo size width / 96.0 in, height / 96 in noenhanced font 'sans-serif,12' \
		fontscale 0.75
}
set encoding utf8
set style fill solid 1 noborder
if (sides || panels) {
	set multiplot
} else {
	set title "nothing was measured"
	unset tics
	plot [0:1] [0:1] NaN notitle
}

# Gives what is drawn next so many pixels below the last.
below = 1
place(pixels) = sprintf("below = below - %.15g; set origin 0, below; set size 1, %.15g", \
	pixels / height, pixels / height)

# ---- the names of the sides ----

if (sides) {
	eval place(legend_height)
	unset border
	unset tics
	set tmargin 0
	set bmargin 0
	set lmargin 0
	set key outside left top vertical Left reverse samplen 1 maxcols 1
	plot [0:1] [0:1] NaN notitle, for [i = 0 : sides - 1] keyentry with boxes fs solid \
		lc rgb color(i) title value(sprintf("side%d", i))
	set border
	set tics
	set tmargin -1
	set bmargin -1
}

# ---- the panels ----

set grid x
set key outside right top vertical Left reverse samplen 1 maxcols auto
set rmargin at screen 1 - 1.0 * right / width

# For an axis: a is its letter.
command(text) = sprintf(text, a)
range(low, high) = sprintf("set %srange [%.10g:%.10g]", a, low, high)
tick(text, at) = sprintf("set %stics add ('%s' %.10g)", a, text, at)
# The ticks of a logarithmic axis: of all powers of 10 or, where they are few, parts of them too.
parts(decades) = decades < 0.8 ? "1 2 3 4 5 6 7 8 9" : decades < 2 ? "1 2 5" : "1"
# The distance between about five ticks of a linear axis.
part(high, step) = step * (high / step > 15 ? 5 : high / step > 7 ? 2 : 1)

do for [panel = 0 : panels - 1] {
	bars = the("kind") eq "bars"
	steps = the("kind") eq "steps"
	# stats leaves out what is out of range.
	unset logscale
	set autoscale
	stats $data index panel using 1 nooutput
	last = int(STATS_max)
	stats $data index panel using 2 nooutput
	rows = bars ? int(STATS_max) + 1 : 0
	array deviation[last + 1]
	do for [i = 0 : last] {
		stats $data index panel using ($1 == i ? $4 : 0) nooutput
		deviation[i + 1] = STATS_max
	}
	left = least_left
	do for [i = 0 : rows - 1] {
		left = max(left, width_of(i) * letter + 10)
	}
	eval place(bars ? bars_height(rows) : curves_height)
	set lmargin at screen 1.0 * left / width
	set title the("title")
	set xlabel the("xtitle")
	set ylabel the("ytitle")

	do for [a in bars ? "x" : "x y"] {
		horizontal = a eq "x"
		shows = the(a)
		scaled = shows eq "ns" || shows eq "bytes" || shows eq "count"
		col = horizontal ? 3 : 4
		stats $data index panel using (point(column(col)) > 0 ? column(col) : 1e300) nooutput
		low = STATS_min
		stats $data index panel using (point(column(col) + (bars ? $4 : 0))) nooutput
		high = STATS_max
		if (horizontal && steps && shows eq "ns") {
			stats $data index panel using ($2 == 99 ? tail * $3 : 0) nooutput
			if (high > STATS_max) {
				set xlabel the("xtitle") . " (the longest took " . ns(high) . ")"
				high = STATS_max
			}
		}
		logarithmic = scaled && (horizontal && steps || high > max_linear * low)
		eval command("set %stics nomirror " . (scaled ? "()" : "auto format '%%g'"))

		if (logarithmic && shows eq "bytes") {
			eval command("set logscale %s 2")
			highest = ceil(log2(high) - 1e-9)
			lowest = floor(log2(low) + 1e-9)
			step = highest - lowest > 24 ? 4 : highest - lowest > 9 ? 2 : 1
			if (low < 1) {
				eval tick("0 B", 0.5)
			}
			do for [e = max(lowest, 0) : highest] {
				if ((e - highest) % step == 0) {
					eval tick(bytes(e), 2.0 ** e)
				}
			}
		}
		if (logarithmic && shows ne "bytes") {
			eval command("set logscale %s 10")
			decades = log10(high / low)
			step = decades > 8 ? 2 : 1
			do for [e = max(floor(log10(low)), 0) : ceil(log10(high))] {
				do for [digit in e % step ? "" : parts(decades)] {
					at = digit * 10.0 ** e
					eval tick(shows eq "ns" ? ns(at) : count(at), at)
				}
			}
		}
		if (scaled && !logarithmic && high > 0) {
			step = part(high, 10.0 ** floor(log10(high / 3)))
			step = shows eq "count" ? max(step, 1) : step
			eval tick("0", 0)
			do for [i = 1 : int(high / step)] {
				eval tick(shows eq "ns" ? ns(i * step) : count(i * step), i * step)
			}
		}

		# Behind a bar is its figure; on a logarithmic axis the shortest has a length, too.
		if (logarithmic) {
			eval bars ? range(low / 3, high * (10 * high / low) ** 0.15) : range(low / 1.1, high * 1.1)
		} else {
			eval high > 0 && (bars || !horizontal) ? range(0, high * (bars ? 1.15 : 1.05)) : \
				command("set %srange [0:*]")
		}
	}

	if (bars) {
		thick = 0.8 / max(sides, 1)
		set yrange [0.5 - rows : 0.5]
		set ytics nomirror ()
		do for [i = 0 : rows - 1] {
			set ytics add (plain(name_of(i)) -i)
		}
		plot NaN notitle, \
			for [i = 0 : last] $data index panel using (of_side(i)):(bar_at(i)):(1e-9):3: \
				(bar_at(i) - thick / 2):(bar_at(i) + thick / 2) \
				with boxxyerror lc rgb color(i) notitle, \
			for [i = 0 : last] $data index panel using (deviation[i + 1] > 0 ? of_side(i) : NaN): \
				(bar_at(i)):($3 > $4 ? $3 - $4 : $3):($3 + $4) \
				with xerrorbars pt 0 lw 1 lc rgb '#404040' notitle, \
			for [i = 0 : last] $data index panel using (of_side(i) + $4):(bar_at(i)):(bar_text($3)) \
				with labels left offset 0.7,0 notitle
	} else {
		plot NaN notitle, \
			for [i = 0 : steps ? last : -1] $data index panel using (of_curve(i, 0)):4 \
				with steps lw 2 lc rgb color(i) dt dash(i) title name_of(i), \
			for [i = 0 : steps ? -1 : last] $data index panel using (of_curve(i, 0)):4 \
				with linespoints pt 7 ps 0.5 lw 2 lc rgb color(i) dt dash(i) title name_of(i), \
			for [i = 0 : last] $data index panel using (of_curve(i, 50)):4 \
				with points pt 7 ps 1 lc rgb color(i) notitle, \
			for [i = 0 : last] $data index panel using (of_curve(i, 99)):4 \
				with points pt 9 ps 1 lc rgb color(i) notitle, \
			for [i = 1 : steps] keyentry with points pt 7 lc rgb '#404040' title 'p50', \
			for [i = 1 : steps] keyentry with points pt 9 lc rgb '#404040' title 'p99'
	}
}
unset multiplot
