// SPDX-License-Identifier: GPL-2.0
/* The picture of a run. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/histogram.h"
#include "report/picture.h"
#include "report/render_options.h"

/* More curves cannot be told apart, and more bars make no picture. */
#define MAX_CURVES 6
#define MAX_BARS   10
/* Files that take less of the time have no bar. */
#define LEAST_SHARE 0.0005

/* What is shown, those that took most time first. */
struct rows {
	const struct syscall_stats *list[MAX_BARS];
	size_t nr;
};

static bool is_before(const struct syscall_stats *a, const struct syscall_stats *b)
{
	return a->total_ns != b->total_ns ? a->total_ns > b->total_ns : a->calls > b->calls;
}

static void choose_rows(struct rows *rows, const struct profile *p)
{
	rows->nr = 0;
	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *s = &p->syscalls[i];
		size_t at = rows->nr;

		if (!s->calls)
			continue;
		while (at > 0 && is_before(s, rows->list[at - 1]))
			at--;
		if (at == MAX_BARS)
			continue;
		if (rows->nr < MAX_BARS)
			rows->nr++;
		memmove(&rows->list[at + 1], &rows->list[at],
			(rows->nr - at - 1) * sizeof(*rows->list));
		rows->list[at] = s;
	}
}

/* ---- distributions ---- */

static int add_curve(struct panel *panel, const struct syscall_stats *s, size_t color, bool sizes)
{
	char name[CELL_SIZE];
	struct series *series = panel_add_series(panel, render_name(name, s->name, s->abi), color);

	if (!series)
		return -ENOMEM;
	return sizes ? series_add_histogram(series, s->sizes, &size_scale)
		     : series_add_histogram(series, s->latency, &latency_scale);
}

static bool has_curve(const struct syscall_stats *s, bool sizes, unsigned unknown)
{
	if (!figures_known(sizes ? UNKNOWN_BYTES : UNKNOWN_LATENCY, s, unknown))
		return false;
	return sizes ? histogram_total(s->sizes, SIZE_BUCKETS)
		     : histogram_total(s->latency, LATENCY_BUCKETS);
}

static int add_distributions(struct picture *p, const struct rows *rows, bool sizes,
			     unsigned unknown)
{
	struct panel *panel = NULL;
	size_t nr = 0;
	int err = 0;

	for (size_t i = 0; !err && i < rows->nr && nr < MAX_CURVES; i++) {
		if (!has_curve(rows->list[i], sizes, unknown))
			continue;
		if (!panel)
			panel = picture_add_panel(p, sizes ? "Bytes per call" : "Latency");
		if (!panel)
			return -ENOMEM;
		err = add_curve(panel, rows->list[i], i, sizes);
		nr++;
	}
	if (!panel)
		return err;
	panel->steps = panel->key = true;
	panel->x = sizes ? AXIS_BYTES : AXIS_NS;
	panel->y = AXIS_PERCENT;
	panel->x_title = sizes ? "bytes" : "time of a call";
	panel->y_title = "calls [%]";
	return err;
}

/* ---- bars ---- */

/* One bar for each category, all of one series. */
static struct panel *add_bars(struct picture *p, const char *title, enum axis x)
{
	struct panel *panel = picture_add_panel(p, title);

	if (!panel)
		return NULL;
	panel->bars = true;
	panel->x = x;
	return panel_add_series(panel, "", 0) ? panel : NULL;
}

static int add_bar(struct panel *panel, const char *name, double value)
{
	int err = panel_add_category(panel, name);

	return err ? err
		   : series_add(
			     panel->series,
			     (struct point){ .x = value, .y = (double)panel->nr_categories - 1 });
}

static int add_syscall_bars(struct picture *p, const struct rows *rows, enum figure_id id,
			    const char *title, enum axis x, unsigned unknown)
{
	struct panel *panel;
	int err = 0;

	if (!rows->nr || figures[id].needs & unknown)
		return 0;
	panel = add_bars(p, title, x);
	if (!panel)
		return -ENOMEM;
	for (size_t i = 0; !err && i < rows->nr; i++) {
		char name[CELL_SIZE];
		const struct syscall_stats *s = rows->list[i];

		err = add_bar(panel, render_name(name, s->name, s->abi),
			      (double)figure_value(id, s));
	}
	return err;
}

static int add_file_bars(struct picture *p, const struct result *r)
{
	struct panel *panel;
	double total = 0;
	int err = 0;

	for (size_t i = 0; i < r->nr_files; i++) {
		struct file_call sum;

		file_stats_sum(&sum, &r->files[i], NR_SYSCALL_ACTIONS);
		total += (double)sum.total_ns;
	}
	if (total <= 0)
		return 0;
	panel = add_bars(p, "Files: share of the time in calls on files", AXIS_PERCENT);
	if (!panel)
		return -ENOMEM;
	panel->x_title = "time [%]";
	for (size_t i = 0; !err && i < r->nr_files && i < MAX_BARS; i++) {
		struct file_call sum;

		file_stats_sum(&sum, &r->files[i], NR_SYSCALL_ACTIONS);
		if ((double)sum.total_ns < LEAST_SHARE * total)
			break;
		err = add_bar(panel, r->files[i].path ? r->files[i].path : "?",
			      100 * (double)sum.total_ns / total);
	}
	return err;
}

/* ---- over time ---- */

static int add_line(struct panel *panel, const char *name, size_t color,
		    double (*of)(const struct instant *i), const struct instant *instants,
		    size_t nr)
{
	struct series *series = panel_add_series(panel, name, color);
	int err = series ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < nr; i++) {
		double y = of(&instants[i]);

		if (!isnan(y))
			err = series_add(series,
					 (struct point){ .x = instants[i].seconds, .y = y });
	}
	return err;
}

static double rate_of(const struct instant *i)
{
	return i->length > 0 ? (double)i->calls / i->length : NAN;
}

static double p50_of(const struct instant *i)
{
	return i->p50_ns ? (double)i->p50_ns : NAN;
}

static double p99_of(const struct instant *i)
{
	return i->p99_ns ? (double)i->p99_ns : NAN;
}

static struct panel *add_time_panel(struct picture *p, const char *title, const char *y_title,
				    enum axis y)
{
	struct panel *panel = picture_add_panel(p, title);

	if (!panel)
		return NULL;
	panel->x = AXIS_SECONDS;
	panel->y = y;
	panel->x_title = "time since the start [s]";
	panel->y_title = y_title;
	return panel;
}

static bool has_latency(const struct instant *instants, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (instants[i].p99_ns)
			return true;
	return false;
}

static int add_instants(struct picture *p, const struct instant *instants, size_t nr)
{
	struct panel *panel;
	int err;

	if (!nr)
		return 0;
	panel = add_time_panel(p, "Calls over time", "calls per second", AXIS_COUNT);
	if (!panel)
		return -ENOMEM;
	err = add_line(panel, "calls", 0, rate_of, instants, nr);
	if (err || !has_latency(instants, nr))
		return err;
	panel = add_time_panel(p, "Latency over time", "time of a call", AXIS_NS);
	if (!panel)
		return -ENOMEM;
	panel->key = true;
	err = add_line(panel, "p50", 0, p50_of, instants, nr);
	return err ? err : add_line(panel, "p99", 1, p99_of, instants, nr);
}

int picture_of_result(struct picture *p, const struct result *r, const struct instant *instants,
		      size_t nr_instants)
{
	unsigned unknown = r->profile->unknown;
	struct rows rows;
	int err;

	memset(p, 0, sizeof(*p));
	choose_rows(&rows, r->profile);
	err = add_distributions(p, &rows, false, unknown);
	if (!err)
		err = add_distributions(p, &rows, true, unknown);
	if (!err)
		err = add_syscall_bars(p, &rows, FIGURE_calls, "Calls", AXIS_COUNT, unknown);
	if (!err)
		err = add_syscall_bars(p, &rows, FIGURE_total_ns, "Time in calls", AXIS_NS,
				       unknown);
	if (!err)
		err = add_file_bars(p, r);
	return err ? err : add_instants(p, instants, nr_instants);
}
