// SPDX-License-Identifier: GPL-2.0
/* The picture of a run. */
#include <stdio.h>
#include <string.h>

#include "model/figures.h"
#include "model/histogram.h"
#include "report/group_rows.h"
#include "report/picture.h"
#include "report/render_options.h"

/* More curves cannot be told apart, and more bars make no picture. */
#define MAX_CURVES 6
#define MAX_BARS   10
/* Files that take less of the time have no bar. */
#define LEAST_SHARE 0.0005

/* The syscalls that are shown, those that were busy longest first. */
struct rows {
	const struct syscall_stats *list[MAX_BARS];
	size_t nr;
};

static bool is_before(const struct syscall_stats *a, const struct syscall_stats *b)
{
	uint64_t x = figure_value(FIGURE_busy_ns, a), y = figure_value(FIGURE_busy_ns, b);

	return x != y ? x > y : a->calls > b->calls;
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

static bool has_curve(const struct syscall_stats *s, bool sizes, unsigned unknown)
{
	if (!figures_known(sizes ? UNKNOWN_BYTES : UNKNOWN_LATENCY, s, unknown))
		return false;
	return sizes ? histogram_total(s->sizes, SIZE_BUCKETS)
		     : histogram_total(s->latency, LATENCY_BUCKETS);
}

static void add_distributions(struct picture *p, const struct rows *rows, bool sizes,
			      unsigned unknown)
{
	char name[CELL_SIZE];
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr && nr < MAX_CURVES; i++) {
		const struct syscall_stats *s = rows->list[i];

		if (!has_curve(s, sizes, unknown))
			continue;
		if (!nr++)
			picture_add_histograms(p, sizes ? "Bytes per call" : "Latency", sizes);
		picture_add_name(p, i, render_name(name, s->name, s->abi));
		picture_add_histogram(p, i, sizes ? s->sizes : s->latency, sizes);
	}
}

/* Adds one bar for each syscall. */
static void add_syscall_bars(struct picture *p, const struct rows *rows, enum figure_id id,
			     const char *title, const char *x, unsigned unknown)
{
	char name[CELL_SIZE];

	if (!rows->nr || figures[id].needs & unknown)
		return;
	picture_add_panel(p, &(struct panel){ .title = title, .kind = "bars", .x = x });
	for (size_t i = 0; i < rows->nr; i++) {
		const struct syscall_stats *s = rows->list[i];

		picture_add_name(p, i, render_name(name, s->name, s->abi));
		picture_add_bar(p, i, 0, (double)figure_value(id, s), 0);
	}
}

static void add_file_bars(struct picture *p, const struct result *r)
{
	static const struct panel panel = {
		.title = "Files: share of the time in calls on files",
		.kind = "bars",
		.x = "percent",
		.x_title = "time [%]",
	};
	double total = 0;

	for (size_t i = 0; i < r->nr_files; i++)
		total += (double)r->files[i].busy_ns;
	if (total <= 0)
		return;
	picture_add_panel(p, &panel);
	for (size_t i = 0; i < r->nr_files && i < MAX_BARS; i++) {
		double ns = (double)r->files[i].busy_ns;

		if (ns < LEAST_SHARE * total)
			break;
		picture_add_name(p, i, r->files[i].path ? r->files[i].path : "?");
		picture_add_bar(p, i, 0, 100 * ns / total, 0);
	}
}

/* Adds one bar for each of the first groups (--by). Returns 0 or -ENOMEM. */
static int add_group_bars(struct picture *p, const struct profile *profile)
{
	bool timed = !(profile->unknown & UNKNOWN_LATENCY), busy = profile_has_idle(profile);
	char buf[GROUP_NAME_SIZE], id[GROUP_ID_SIZE], title[64], name[256];
	struct group_rows rows;
	int err;

	if (!profile->by[0] || !profile->nr_groups)
		return 0;
	err = group_rows_make(&rows, profile, NULL,
			      busy    ? COLUMN_BUSY_TIME
			      : timed ? COLUMN_TOTAL_TIME
				      : COLUMN_CALLS);
	snprintf(title, sizeof(title), "%s by %s",
		 busy	 ? "Busy time in calls"
		 : timed ? "Time in calls"
			 : "Calls",
		 group_key(profile->by[0])->name);
	picture_add_panel(
		p, &(struct panel){ .title = title, .kind = "bars", .x = timed ? "ns" : "count" });
	for (size_t i = 0; i < rows.nr && i < MAX_BARS; i++) {
		const struct group_row *row = &rows.list[i];
		const struct group_call *sum = &row->sum;
		uint64_t ns = figure_value_in(SCOPE_GROUP, FIGURE_busy_ns, sum);

		snprintf(name, sizeof(name), "%s%s", group_row_name(buf, row, profile),
			 group_row_id(id, row, profile));
		picture_add_name(p, i, name);
		picture_add_bar(p, i, 0, (double)(timed ? ns : sum->calls), 0);
	}
	group_rows_free(&rows);
	return err;
}

int picture_of_result(struct picture *p, const struct result *r)
{
	unsigned unknown = r->profile->unknown;
	bool busy = profile_has_idle(r->profile);
	struct rows rows;
	int err, over_time;

	picture_begin(p);
	choose_rows(&rows, r->profile);
	add_distributions(p, &rows, false, unknown);
	add_distributions(p, &rows, true, unknown);
	add_syscall_bars(p, &rows, FIGURE_calls, "Calls", "count", unknown);
	add_syscall_bars(p, &rows, busy ? FIGURE_busy_ns : FIGURE_total_ns,
			 busy ? "Busy time in calls" : "Time in calls", "ns", unknown);
	err = add_group_bars(p, r->profile);
	add_file_bars(p, r);
	over_time = picture_add_intervals(p, r, rows.list, rows.nr);
	return picture_end(p) ?: err ? err : over_time;
}
