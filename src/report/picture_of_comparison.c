// SPDX-License-Identifier: GPL-2.0
/* The picture of a comparison: a color for each side. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/histogram.h"
#include "report/failures.h"
#include "report/picture.h"
#include "report/render_options.h"

#define MAX_ROWS 8 /* syscalls with bars */
/* A syscall has distributions if it takes this share of the time of some side; and how many do. */
#define CURVE_SHARE 0.05
#define MAX_CURVES  3

static int add_legend(struct picture *p, const struct comparison *c)
{
	int err = 0;

	for (size_t i = 0; !err && i < c->nr_sides; i++) {
		char *text = NULL, *failed = failures_text(&c->sides[i]);
		bool none = failed && !*failed;

		if (failed && asprintf(&text, none ? "%c  %s" : "%c  %s (failed: %s)",
				       side_letter(i), c->sides[i].name, failed) < 0)
			text = NULL;
		free(failed);
		err = text ? picture_add_legend(p, text) : -ENOMEM;
		free(text);
	}
	return err;
}

/* Bars of these figures: a category for each, a series for each side. */
static struct panel *add_bars(struct picture *p, const struct comparison *c, const char *title,
			      enum axis x)
{
	struct panel *panel = picture_add_panel(p, title);

	if (!panel)
		return NULL;
	panel->bars = true;
	panel->x = x;
	for (size_t i = 0; i < c->nr_sides; i++) {
		char letter[] = { side_letter(i), '\0' };

		if (!panel_add_series(panel, letter, i))
			return NULL;
	}
	return panel;
}

/* The mean, and the standard deviation as an error bar. */
static struct point bar_of(const struct compared *c, size_t category)
{
	const struct spread *s = &c->spread;

	return (struct point){ .x = s->nr ? s->mean : NAN,
			       .y = (double)category,
			       .low = s->mean - s->deviation,
			       .high = s->mean + s->deviation };
}

static int add_category(struct panel *panel, const struct comparison *c, const char *name,
			const struct compared *sides)
{
	int err = panel_add_category(panel, name);

	for (size_t i = 0; !err && i < c->nr_sides; i++)
		err = series_add(&panel->series[i], bar_of(&sides[i], panel->nr_categories - 1));
	return err;
}

static bool is_known(const struct comparison *c, const struct compared *sides)
{
	for (size_t i = 0; i < c->nr_sides; i++)
		if (sides[i].spread.nr && sides[i].spread.max > 0)
			return true;
	return false;
}

static int add_walls(struct picture *p, const struct comparison *c)
{
	struct panel *panel = add_bars(p, c, "Wall time, with the standard deviation", AXIS_NS);
	int err = panel ? 0 : -ENOMEM;

	if (!err && is_known(c, c->bare))
		err = add_category(panel, c, "bare", c->bare);
	if (!err && is_known(c, c->traced))
		err = add_category(panel, c, "traced", c->traced);
	return err;
}

static int add_rows(struct picture *p, const struct comparison *c, enum compared_figure figure,
		    const char *title, enum axis x)
{
	struct panel *panel = NULL;
	int err = 0;

	for (size_t i = 0, nr = 0; !err && i < c->nr_rows && nr < MAX_ROWS; i++) {
		char name[CELL_SIZE];
		const struct comparison_row *row = &c->rows[i];

		if (row_is_total(row) || !is_known(c, row->cells[figure]))
			continue;
		if (!panel)
			panel = add_bars(p, c, title, x);
		if (!panel)
			return -ENOMEM;
		err = add_category(panel, c, render_name(name, row->name, row->abi),
				   row->cells[figure]);
		nr++;
	}
	return err;
}

/* Does the syscall take much of the time of a side, or, where times are not known, of the calls? */
static bool matters(const struct comparison *c, const struct comparison_row *row)
{
	const struct comparison_row *total = &c->rows[c->nr_rows - 1];
	enum compared_figure figure =
		is_known(c, total->cells[COMPARED_TIME]) ? COMPARED_TIME : COMPARED_CALLS;

	for (size_t i = 0; i < c->nr_sides; i++)
		if (row->cells[figure][i].spread.mean >
		    CURVE_SHARE * total->cells[figure][i].spread.mean)
			return true;
	return false;
}

/* All runs of a side together. */
static int add_curve(struct panel *panel, const struct comparison *c, size_t side,
		     const struct comparison_row *row, bool sizes)
{
	const struct histogram_scale *scale = sizes ? &size_scale : &latency_scale;
	uint64_t *counts = calloc(scale->nr_buckets, sizeof(*counts));
	char letter[] = { side_letter(side), '\0' };
	struct series *series = panel_add_series(panel, letter, side);
	int err = counts && series ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < c->sides[side].nr_runs; i++) {
		const struct syscall_stats *s =
			profile_find_syscall(c->sides[side].runs[i], row->abi, row->nr);

		if (s)
			histogram_merge(counts, sizes ? s->sizes : s->latency, scale->nr_buckets);
	}
	if (!err)
		err = series_add_histogram(series, counts, scale);
	free(counts);
	return err;
}

static int add_distribution(struct picture *p, const struct comparison *c,
			    const struct comparison_row *row, bool sizes)
{
	char title[100], name[CELL_SIZE];
	struct panel *panel;
	int err = 0;

	snprintf(title, sizeof(title), "%s %.80s", sizes ? "Bytes per" : "Latency of",
		 render_name(name, row->name, row->abi));
	panel = picture_add_panel(p, title);
	if (!panel)
		return -ENOMEM;
	panel->steps = true;
	panel->x = sizes ? AXIS_BYTES : AXIS_NS;
	panel->y = AXIS_PERCENT;
	panel->x_title = sizes ? "bytes" : "time of a call";
	panel->y_title = "calls [%]";
	for (size_t i = 0; !err && i < c->nr_sides; i++)
		err = add_curve(panel, c, i, row, sizes);
	return err;
}

static int add_distributions(struct picture *p, const struct comparison *c, bool sizes)
{
	enum compared_figure needed = sizes ? COMPARED_BYTES : COMPARED_P50;
	int err = 0;

	for (size_t i = 0, nr = 0; !err && i < c->nr_rows && nr < MAX_CURVES; i++) {
		const struct comparison_row *row = &c->rows[i];

		if (row_is_total(row) || !matters(c, row) || !is_known(c, row->cells[needed]))
			continue;
		err = add_distribution(p, c, row, sizes);
		nr++;
	}
	return err;
}

int picture_of_comparison(struct picture *p, const struct comparison *c)
{
	int err;

	memset(p, 0, sizeof(*p));
	err = add_legend(p, c);
	if (!err)
		err = add_walls(p, c);
	if (!err)
		err = add_rows(p, c, COMPARED_CALLS, "Calls of a run", AXIS_COUNT);
	if (!err)
		err = add_rows(p, c, COMPARED_TIME, "Time in the calls of a run", AXIS_NS);
	if (!err)
		err = add_distributions(p, c, false);
	return err ? err : add_distributions(p, c, true);
}
