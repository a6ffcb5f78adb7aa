// SPDX-License-Identifier: GPL-2.0
#include "report/gnuplot_script.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

/* In pixels of SVG. */
#define WIDTH	      900
#define CURVES_HEIGHT 300
#define BARS_HEIGHT   88 /* without the bars */
#define BAR_HEIGHT    20
#define GAP_HEIGHT    10  /* between categories */
#define LEGEND_HEIGHT 22  /* of a line */
#define LEFT	      150 /* at least, so that panels stand below each other */
#define LETTER	      8.2 /* the width of one */
#define RIGHT	      170

/* Of Okabe and Ito (Color Universal Design, 2008), which colour-blind readers tell apart. */
static const char *const colors[] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7",
				      "#E69F00", "#56B4E9", "#000000" };

#define NR_COLORS (sizeof(colors) / sizeof(*colors))

static const struct {
	const char *extension;
	const char *terminal;
	double width; /* of a pixel, in the terminal's unit */
	const char *unit, *more;
} terminals[] = {
	{ "svg", "svg", 1, "", "font 'sans-serif,12' background '#ffffff'" },
	{ "png", "pngcairo", 2, "", "font 'sans-serif,12' fontscale 2 linewidth 2 pointscale 2" },
	{ "pdf", "pdfcairo", 1.0 / 96, "in", "font 'sans-serif,12' fontscale 0.75" },
};

const char *const gnuplot_extensions[] = { "svg", "png", "pdf", NULL };

static void print_number(FILE *out, double value)
{
	char buf[340];
	int digits = value == 0 ? 0 : 6 - (int)floor(log10(fabs(value)));

	if (isfinite(value))
		fputs(format_fixed(buf, sizeof(buf), value,
				   digits < 0	 ? 0
				   : digits > 12 ? 12
						 : digits),
		      out);
	else
		fputs("NaN", out);
}

/*
 * Text in double quotes, in which all that may mean something is written as its number: what stands
 * for a character is read after all substitutions. percent: what the text uses for "%". gnuplot
 * reads the digits of a number to their end, so a digit after one is written as a number, too.
 */
static void print_quoted(FILE *out, const char *text, const char *percent)
{
	bool number = false;

	fputc('"', out);
	for (; *text; text++) {
		bool plain = isalpha((unsigned char)*text) || strchr(" ./:-_", *text) ||
			     (isdigit((unsigned char)*text) && !number);

		if (*text == '%')
			fputs(percent, out);
		else if (plain)
			fputc(*text, out);
		else
			fprintf(out, "\\%03o", (unsigned char)*text);
		number = !plain;
	}
	fputc('"', out);
}

static void print_text(FILE *out, const char *text)
{
	print_quoted(out, text, "\\045");
}

/* The text beside a tick is a format. */
static void print_tick_text(FILE *out, const char *text)
{
	print_quoted(out, text, "\\045\\045");
}

/* ---- axes ---- */

static bool is_logarithmic(enum axis axis)
{
	return axis == AXIS_NS || axis == AXIS_BYTES || axis == AXIS_COUNT;
}

static void format_tick(char *buf, size_t size, enum axis axis, double value)
{
	static const char *const units[] = { "", "k", "M", "G", "T", "P" };
	size_t unit = 0;

	if (axis == AXIS_NS) {
		format_ns(buf, size, (uint64_t)value);
	} else if (axis == AXIS_BYTES) {
		format_pow2_bytes(buf, size, (uint64_t)value);
	} else {
		for (; value >= 1000 && unit < 5; unit++)
			value /= 1000;
		snprintf(buf, size, "%d%s", (int)value, units[unit]);
	}
}

/* Bars stand on a linear axis if none is longer than another by more than this. */
#define MAX_LINEAR 50
/* The rare calls that took longer than this many times the longest p99 are beyond the curves. */
#define TAIL 4

/* The values of a panel along one axis. */
struct extent {
	double low, high;
};

static void widen(struct extent *r, double value)
{
	if (!(value > 0) || isinf(value))
		return;
	if (!(r->low > 0) || value < r->low)
		r->low = value;
	if (value > r->high)
		r->high = value;
}

static struct extent range_of(const struct panel *panel, bool x)
{
	struct extent r = { 0, 0 };

	for (size_t i = 0; i < panel->nr_series; i++)
		for (size_t k = 0; k < panel->series[i].nr_points; k++) {
			const struct point *point = &panel->series[i].points[k];

			widen(&r, x ? point->x : point->y);
			if (panel->bars)
				widen(&r, point->high);
		}
	return r;
}

/* Where the curves of latencies end. */
static double end_of_tail(const struct panel *panel)
{
	double end = 0;

	for (size_t i = 0; i < panel->nr_series; i++)
		if (panel->series[i].marks[1].x * TAIL > end)
			end = panel->series[i].marks[1].x * TAIL;
	return end;
}

/* The longest latency, if it is beyond the curves; 0: it is not. */
static double cut_tail(const struct panel *panel, struct extent *r)
{
	double longest = r->high, end = end_of_tail(panel);

	if (!panel->steps || panel->x != AXIS_NS || !(end > 0) || longest <= end)
		return 0;
	r->high = end;
	return longest;
}

/* The ticks of an axis of powers of 10: of them all, or where these are few, parts of them too. */
static void print_decimal_ticks(FILE *out, enum axis axis, const struct extent *r)
{
	static const char *const parts[] = { "1", "125", "123456789" };
	double decades = log10(r->high / r->low);
	const char *use = parts[decades < 0.8 ? 2 : decades < 2 ? 1 : 0];
	int step = decades > 8 ? 2 : 1;
	const char *separator = "";
	char tick[24];

	for (int e = (int)floor(log10(r->low)); e <= (int)ceil(log10(r->high)); e++)
		for (const char *part = use; *part; part++) {
			double value = (*part - '0') * pow(10, e);

			if (value < 1 || e % step)
				continue;
			format_tick(tick, sizeof(tick), axis, value);
			fprintf(out, "%s'%s' ", separator, tick);
			print_number(out, value);
			separator = ", ";
		}
}

/* The ticks of a linear axis from 0: about five. */
static void print_even_ticks(FILE *out, enum axis axis, double high)
{
	double step = pow(10, floor(log10(high / 3))), value;
	char tick[24];

	step *= high / step > 15 ? 5 : high / step > 7 ? 2 : 1;
	if (axis == AXIS_COUNT && step < 1)
		step = 1;
	for (value = 0; value <= high; value += step) {
		format_tick(tick, sizeof(tick), axis, value);
		fprintf(out, "%s'%s' ", value > 0 ? ", " : "", value > 0 ? tick : "0");
		print_number(out, value);
	}
}

static void print_binary_ticks(FILE *out, const struct extent *r)
{
	int low = (int)floor(log2(r->low)), high = (int)ceil(log2(r->high));
	int step = high - low > 24 ? 4 : high - low > 9 ? 2 : 1;
	const char *separator = "";
	char tick[24];

	if (r->low < 1) {
		fputs("'0 B' 0.5", out);
		separator = ", ";
	}
	for (int e = low > 0 ? low : 0; e <= high; e++) {
		if ((e - high) % step)
			continue;
		format_tick(tick, sizeof(tick), AXIS_BYTES, pow(2, e));
		fprintf(out, "%s'%s' ", separator, tick);
		print_number(out, pow(2, e));
		separator = ", ";
	}
}

static void print_range(FILE *out, char which, double low, double high)
{
	fprintf(out, "set %crange [", which);
	print_number(out, low);
	fputs(":", out);
	print_number(out, high);
	fputs("]\n", out);
}

/*
 * Bars are as long as their figures, and curves over time as high, if the eye can compare these;
 * where the largest would make the others vanish, the axis is logarithmic.
 */
static bool is_logarithmic_axis(const struct panel *panel, bool x)
{
	struct extent r = range_of(panel, x);

	return is_logarithmic(x ? panel->x : panel->y) &&
	       ((panel->steps && x) || r.high > MAX_LINEAR * r.low);
}

static void print_linear_axis(FILE *out, enum axis axis, char which, const struct extent *r,
			      double room)
{
	bool own = is_logarithmic(axis) && r->high > 0;

	fprintf(out, "unset logscale %c\nset %ctics nomirror %s", which, which, own ? "(" : "auto");
	if (own)
		print_even_ticks(out, axis, r->high);
	fputs(own ? ")\n" : " format '%g'\n", out);
	if (room > 1 && r->high > 0)
		print_range(out, which, 0, room * r->high);
	else
		fprintf(out, "set %crange [0:*]\n", which);
}

static void print_axis_title(FILE *out, char which, const char *title, double beyond)
{
	char text[160], longest[24];

	snprintf(text, sizeof(text), "%s", title ? title : "");
	if (beyond > 0)
		snprintf(text, sizeof(text), "%s (the longest took %s)", title,
			 format_ns(longest, sizeof(longest), (uint64_t)beyond));
	fprintf(out, "set %clabel ", which);
	print_text(out, text);
	fputc('\n', out);
}

/* which: 'x' or 'y' */
static void print_axis(FILE *out, const struct panel *panel, char which)
{
	bool x = which == 'x';
	enum axis axis = x ? panel->x : panel->y;
	struct extent r = range_of(panel, x);

	print_axis_title(out, which, x ? panel->x_title : panel->y_title,
			 x ? cut_tail(panel, &r) : 0);
	if (!is_logarithmic_axis(panel, x)) {
		/* Behind a bar's end is its figure. */
		print_linear_axis(out, axis, which, &r, panel->bars ? 1.15 : x ? 1 : 1.05);
		return;
	}
	if (!(r.high > 0))
		r = (struct extent){ 1, 10 };
	fprintf(out, "set logscale %c %d\nset %ctics nomirror (", which,
		axis == AXIS_BYTES ? 2 : 10, which);
	if (axis == AXIS_BYTES)
		print_binary_ticks(out, &r);
	else
		print_decimal_ticks(out, axis, &r);
	fputs(")\n", out);
	if (panel->bars) /* from a shorter bar than the shortest, and room for the figures */
		print_range(out, which, r.low / 3, r.high * pow(r.high / r.low * 10, 0.15));
	else
		print_range(out, which, r.low / 1.1, r.high * 1.1);
}

/* ---- panels ---- */

static void print_color(FILE *out, const struct series *s)
{
	fprintf(out, "lc rgb '%s'", colors[s->color % NR_COLORS]);
}

static const char *format_bar(char *buf, size_t size, enum axis axis, double value)
{
	bool whole = value == floor(value);

	if (axis == AXIS_NS)
		return format_ns(buf, size, (uint64_t)(value + 0.5));
	return format_fixed(buf, size, value, whole ? 0 : 1);
}

/* x, low, high, and the figure as text. */
static void print_bar_data(FILE *out, const struct panel *panel, size_t at)
{
	const struct series *s = &panel->series[at];
	double height = 0.8 / (double)panel->nr_series;
	char figure[340];

	for (size_t i = 0; i < s->nr_points; i++) {
		const struct point *point = &s->points[i];

		if (isnan(point->x) || !(point->x > 0 || !is_logarithmic_axis(panel, true)))
			continue;
		print_number(out, point->x);
		fputc(' ', out);
		print_number(out, 0.4 - height * ((double)at + 0.5) - point->y);
		fputc(' ', out);
		print_number(out, height / 2);
		fputc(' ', out);
		print_number(out, point->low > 0 ? point->low : point->x);
		fputc(' ', out);
		print_number(out, point->high > 0 ? point->high : point->x);
		fprintf(out, " \"%s\"\n", format_bar(figure, sizeof(figure), panel->x, point->x));
	}
}

static void print_curve_data(FILE *out, const struct series *s)
{
	for (size_t i = 0; i < s->nr_points; i++) {
		print_number(out, s->points[i].x);
		fputc(' ', out);
		print_number(out, s->points[i].y);
		fputc('\n', out);
	}
}

static bool has_data(const struct panel *panel, const struct series *s)
{
	for (size_t i = 0; i < s->nr_points; i++)
		if (!panel->bars || (isfinite(s->points[i].x) &&
				     (s->points[i].x > 0 || !is_logarithmic_axis(panel, true))))
			return true;
	return false;
}

static bool has_errors(const struct series *s)
{
	for (size_t i = 0; i < s->nr_points; i++)
		if (s->points[i].high > s->points[i].low)
			return true;
	return false;
}

static void print_data(FILE *out, const struct panel *panel, size_t number)
{
	for (size_t i = 0; i < panel->nr_series; i++) {
		if (!has_data(panel, &panel->series[i]))
			continue;
		fprintf(out, "$p%zus%zu << EOD\n", number, i);
		if (panel->bars)
			print_bar_data(out, panel, i);
		else
			print_curve_data(out, &panel->series[i]);
		fputs("EOD\n", out);
	}
}

static void print_categories(FILE *out, const struct panel *panel)
{
	fputs("unset logscale y\nset ylabel ''\nset ytics nomirror (", out);
	for (size_t i = 0; i < panel->nr_categories; i++) {
		fputs(i ? ", " : "", out);
		print_tick_text(out, panel->categories[i]);
		fprintf(out, " -%zu", i);
	}
	fputs(")\n", out);
	/* The first is at the top. */
	fprintf(out, "set yrange [-%zu.5:0.5]\n", panel->nr_categories - 1);
}

static void print_bars(FILE *out, const struct panel *panel, size_t number)
{
	bool first = true;

	fputs("plot ", out);
	for (size_t i = 0; i < panel->nr_series; i++) {
		const struct series *s = &panel->series[i];

		if (!has_data(panel, s))
			continue;
		fprintf(out, "%s$p%zus%zu using 1:2:(1e-9):1:($2-$3):($2+$3) with boxxyerror ",
			first ? "" : ", ", number, i);
		print_color(out, s);
		fputs(" notitle", out);
		if (has_errors(s))
			fprintf(out,
				", '' using 1:2:4:5 with xerrorbars pt 0 lw 1 lc rgb '#404040' "
				"notitle");
		fputs(", '' using 5:2:6 with labels left offset 0.7,0 notitle", out);
		first = false;
	}
	fputs(first ? "NaN notitle\n" : "\n", out);
}

static void print_marks(FILE *out, const struct series *s)
{
	static const int shapes[] = { 7, 9 }; /* a circle, a triangle */

	for (size_t i = 0; i < 2; i++) {
		if (isnan(s->marks[i].x))
			continue;
		fputs(", '+' using (", out);
		print_number(out, s->marks[i].x);
		fputs("):(", out);
		print_number(out, s->marks[i].y);
		fprintf(out, ") every ::0::0 with points pt %d ps 1 ", shapes[i]);
		print_color(out, s);
		fputs(" notitle", out);
	}
}

static void print_curves(FILE *out, const struct panel *panel, size_t number)
{
	fputs("plot NaN notitle", out);
	for (size_t i = 0; i < panel->nr_series; i++) {
		const struct series *s = &panel->series[i];

		if (!has_data(panel, s))
			continue;
		fprintf(out, ", $p%zus%zu using 1:2 with %s lw 2 ", number, i,
			panel->steps ? "steps" : "linespoints pt 7 ps 0.5");
		print_color(out, s);
		/* More curves than colors are dashed. */
		if (s->color >= NR_COLORS)
			fprintf(out, " dt %zu", 2 + (s->color / NR_COLORS - 1) % 4);
		fputs(panel->key ? " title " : " notitle", out);
		if (panel->key)
			print_text(out, s->name);
		print_marks(out, s);
	}
	if (panel->steps)
		fputs(", keyentry with points pt 7 lc rgb '#404040' title 'p50'"
		      ", keyentry with points pt 9 lc rgb '#404040' title 'p99'",
		      out);
	fputc('\n', out);
}

static unsigned height_of(const struct panel *panel)
{
	size_t nr = panel->nr_series;

	if (!panel->bars)
		return CURVES_HEIGHT;
	return (unsigned)(BARS_HEIGHT + panel->nr_categories * (nr * BAR_HEIGHT + GAP_HEIGHT));
}

/* Gives the next panel so many pixels below top. */
static void print_place(FILE *out, unsigned top, unsigned height, unsigned whole)
{
	fputs("set origin 0,", out);
	print_number(out, 1 - (double)(top + height) / whole);
	fputs("\nset size 1,", out);
	print_number(out, (double)height / whole);
	fputc('\n', out);
}

/* Room for the names of the categories. */
static void print_left(FILE *out, const struct panel *panel)
{
	double left = LEFT;

	for (size_t i = 0; i < panel->nr_categories; i++)
		left = fmax(left,
			    (double)text_width(panel->categories[i], strlen(panel->categories[i])) *
					    LETTER +
				    10);
	fprintf(out, "set lmargin at screen ");
	print_number(out, left / WIDTH);
	fputc('\n', out);
}

static void print_panel(FILE *out, const struct panel *panel, size_t number)
{
	print_data(out, panel, number);
	print_left(out, panel);
	fputs("set title ", out);
	print_text(out, panel->title);
	fputc('\n', out);
	print_axis(out, panel, 'x');
	if (panel->bars) {
		print_categories(out, panel);
		print_bars(out, panel, number);
	} else {
		print_axis(out, panel, 'y');
		print_curves(out, panel, number);
	}
}

static const char own_key[] =
	"set key outside right top vertical Left reverse samplen 1 maxcols auto\n";

static void print_legend(FILE *out, const struct picture *p)
{
	fputs("set title ''\nunset border\nunset tics\n"
	      "set tmargin 0\nset bmargin 0\nset lmargin 0\n"
	      "set key left top Left reverse maxcols 1\n"
	      "plot [0:1] [0:1] NaN notitle",
	      out);
	for (size_t i = 0; i < p->nr_legend; i++) {
		fprintf(out, ", keyentry with boxes fs solid lc rgb '%s' title ",
			colors[i % NR_COLORS]);
		print_text(out, p->legend[i]);
	}
	fputs("\nset border\nset tics\nset tmargin -1\nset bmargin -1\n", out);
	fputs(own_key, out);
}

static void print_terminal(FILE *out, const char *extension, unsigned height)
{
	size_t i = 0;

	while (strcmp(terminals[i].extension, extension) != 0)
		i++;
	fprintf(out, "set terminal %s size ", terminals[i].terminal);
	print_number(out, WIDTH * terminals[i].width);
	fprintf(out, "%s,", terminals[i].unit);
	print_number(out, height * terminals[i].width);
	fprintf(out, "%s noenhanced %s\n", terminals[i].unit, terminals[i].more);
}

void gnuplot_print(FILE *out, const struct picture *p, const char *extension)
{
	unsigned legend = (unsigned)(p->nr_legend ? p->nr_legend * LEGEND_HEIGHT + 10 : 0);
	unsigned whole = legend, top = legend;

	for (size_t i = 0; i < p->nr_panels; i++)
		whole += height_of(&p->panels[i]);
	if (!whole) {
		print_terminal(out, extension, CURVES_HEIGHT);
		fputs("set title \"nothing was measured\"\nunset tics\nplot [0:1] [0:1] NaN "
		      "notitle\n",
		      out);
		return;
	}
	print_terminal(out, extension, whole);
	fputs("set encoding utf8\nset multiplot\nset style fill solid 1 noborder\nset grid x\n"
	      "set samples 2\n",
	      out);
	fputs(own_key, out);
	fputs("set rmargin at screen ", out);
	print_number(out, 1 - (double)RIGHT / WIDTH);
	fputc('\n', out);
	if (p->nr_legend) {
		print_place(out, 0, legend, whole);
		print_legend(out, p);
	}
	for (size_t i = 0; i < p->nr_panels; i++) {
		print_place(out, top, height_of(&p->panels[i]), whole);
		print_panel(out, &p->panels[i], i);
		top += height_of(&p->panels[i]);
	}
	fputs("unset multiplot\n", out);
}
