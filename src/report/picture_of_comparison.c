// SPDX-License-Identifier: GPL-2.0
/* The picture of a comparison: a color for each side. */
#include <errno.h>
#include <stdlib.h>

#include "model/histogram.h"
#include "report/comparison_cells.h"
#include "report/picture.h"

#define MAX_ROWS 8 /* The most syscalls with bars. */
/*
 * A syscall has distributions if it takes this share of the time of some side, up to so many
 * syscalls.
 */
#define CURVE_SHARE 0.05
#define MAX_CURVES  3

static void add_side(struct picture *p, const struct side *side, size_t i)
{
	char *text = NULL, *failed = failures_text(side);

	if (!failed || asprintf(&text, *failed ? "%c  %s (failed: %s)" : "%c  %s", side_letter(i),
				side->name, failed) < 0) {
		text = NULL;
		p->err = -ENOMEM;
	}
	if (text)
		picture_add_side(p, text);
	free(failed);
	free(text);
}

/* Adds the bars of a figure that is known: the means, and their standard deviations. */
static void add_bars(struct picture *p, const struct comparison *c, size_t i, const char *name,
		     const struct compared *sides)
{
	picture_add_name(p, i, name);
	for (size_t side = 0; side < c->nr_sides; side++) {
		const struct spread *s = &sides[side].spread;

		if (s->nr)
			picture_add_bar(p, i, side, s->mean, s->deviation);
	}
}

static void add_walls(struct picture *p, const struct comparison *c)
{
	static const struct panel panel = { .title = "Wall time, with the standard deviation",
					    .kind = "bars",
					    .x = "ns" };
	bool bare = comparison_has_value(c, c->bare), traced = comparison_has_value(c, c->traced);

	if (bare || traced)
		picture_add_panel(p, &panel);
	if (bare)
		add_bars(p, c, 0, "bare", c->bare);
	if (traced)
		add_bars(p, c, bare, "traced", c->traced);
}

static void add_rows(struct picture *p, const struct comparison *c, enum compared_figure figure,
		     const char *title, const char *x)
{
	char name[CELL_SIZE];
	size_t nr = 0;

	for (size_t i = 0; i < c->nr_rows && nr < MAX_ROWS; i++) {
		const struct comparison_row *row = &c->rows[i];

		if (row_is_total(row) || !comparison_has_value(c, row->cells[figure]))
			continue;
		if (!nr)
			picture_add_panel(
				p, &(struct panel){ .title = title, .kind = "bars", .x = x });
		add_bars(p, c, nr++, render_name(name, row->name, row->abi), row->cells[figure]);
	}
}

/* Does the syscall take much of the time of a side, or, where times are not known, of the calls? */
static bool matters(const struct comparison *c, const struct comparison_row *row)
{
	const struct comparison_row *total = &c->rows[c->nr_rows - 1];
	enum compared_figure figure = comparison_has_value(c, total->cells[COMPARED_TIME])
					      ? COMPARED_TIME
					      : COMPARED_CALLS;

	for (size_t i = 0; i < c->nr_sides; i++)
		if (row->cells[figure][i].spread.mean >
		    CURVE_SHARE * total->cells[figure][i].spread.mean)
			return true;
	return false;
}

/* Adds the calls of all runs of a side together. */
static void add_curve(struct picture *p, const struct comparison *c, size_t side,
		      const struct comparison_row *row, bool sizes)
{
	uint64_t counts[LATENCY_BUCKETS > SIZE_BUCKETS ? LATENCY_BUCKETS : SIZE_BUCKETS] = { 0 };

	for (size_t i = 0; i < c->sides[side].nr_runs; i++) {
		const struct syscall_stats *s =
			profile_find_syscall(c->sides[side].runs[i], row->abi, row->nr);

		if (s)
			histogram_merge(counts, sizes ? s->sizes : s->latency,
					sizes ? SIZE_BUCKETS : LATENCY_BUCKETS);
	}
	picture_add_histogram(p, side, counts, sizes);
}

static void add_distributions(struct picture *p, const struct comparison *c, bool sizes)
{
	enum compared_figure needed = sizes ? COMPARED_BYTES : COMPARED_P50;
	char title[100], name[CELL_SIZE];

	for (size_t i = 0, nr = 0; i < c->nr_rows && nr < MAX_CURVES; i++) {
		const struct comparison_row *row = &c->rows[i];

		if (row_is_total(row) || !matters(c, row) ||
		    !comparison_has_value(c, row->cells[needed]))
			continue;
		snprintf(title, sizeof(title), "%s %.80s", sizes ? "Bytes per" : "Latency of",
			 render_name(name, row->name, row->abi));
		picture_add_histograms(p, title, sizes);
		for (size_t side = 0; side < c->nr_sides; side++)
			add_curve(p, c, side, row, sizes);
		nr++;
	}
}

int picture_of_comparison(struct picture *p, const struct comparison *c)
{
	picture_begin(p);
	for (size_t i = 0; i < c->nr_sides; i++)
		add_side(p, &c->sides[i], i);
	add_walls(p, c);
	add_rows(p, c, COMPARED_CALLS, "Calls of a run", "count");
	add_rows(p, c, COMPARED_TIME, "Time in the calls of a run", "ns");
	add_distributions(p, c, false);
	add_distributions(p, c, true);
	return picture_end(p);
}
