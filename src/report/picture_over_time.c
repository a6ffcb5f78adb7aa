// SPDX-License-Identifier: GPL-2.0
/* The part of a picture that shows a run over time: a curve for each of the costliest syscalls. */
#include <errno.h>
#include <stdlib.h>

#include "model/figures.h"
#include "model/intervals.h"
#include "report/picture.h"
#include "report/render_options.h"

/* More curves cannot be told apart, and more points cannot be seen. */
#define MAX_CURVES 6
#define MAX_POINTS 600

/* What the panels show of a syscall in an interval. */
struct point {
	double seconds, calls_per_second, busy_percent;
	uint64_t p99_ns; /* 0: it is not known. */
};

struct curves {
	const struct syscall_stats *const *rows; /* A syscall of the run each. */
	size_t nr, nr_points, room;
	struct point *points; /* Those of an interval stand together. */
};

static struct point point_of(const struct interval *i, const struct syscall_stats *row)
{
	const struct syscall_stats *s = profile_find_syscall(&i->profile, row->abi, row->nr);
	double length = (double)i->profile.elapsed_ns / 1e9;
	struct point point = { .seconds = (double)i->end_ns / 1e9 };

	if (!s || length <= 0)
		return point;
	point.calls_per_second = (double)s->calls / length;
	point.busy_percent = (double)figure_value(FIGURE_busy_ns, s) / 1e7 / length;
	if (figure_known(FIGURE_p99_ns, s, i->profile.unknown))
		point.p99_ns = figure_value(FIGURE_p99_ns, s);
	return point;
}

static int add_points(void *arg, const struct interval *i)
{
	struct curves *c = arg;

	if (c->nr_points == c->room)
		return -E2BIG;
	for (size_t k = 0; k < c->nr; k++)
		c->points[c->nr_points * c->nr + k] = point_of(i, c->rows[k]);
	c->nr_points++;
	return 0;
}

static double value_of(const struct point *p, size_t panel)
{
	if (panel == 0)
		return p->calls_per_second;
	return panel == 1 ? p->busy_percent : (double)p->p99_ns;
}

/* Draws one panel. Without a p99 a point is missing; otherwise nothing is 0. */
static void add_panel(struct picture *p, const struct curves *c, size_t panel)
{
	static const char *const titles[][3] = {
		{ "Calls over time", "count", "calls per second" },
		{ "Busy time over time", "percent", "time in calls [%]" },
		{ "Latency over time: p99", "ns", "time of a call" },
	};
	char name[CELL_SIZE];

	picture_add_panel(p, &(struct panel){ .title = titles[panel][0],
					      .kind = "lines",
					      .x = "seconds",
					      .y = titles[panel][1],
					      .x_title = "time since the start [s]",
					      .y_title = titles[panel][2] });
	for (size_t k = 0; k < c->nr; k++) {
		picture_add_name(p, k, render_name(name, c->rows[k]->name, c->rows[k]->abi));
		for (size_t i = 0; i < c->nr_points; i++) {
			const struct point *point = &c->points[i * c->nr + k];

			if (panel < 2 || point->p99_ns)
				picture_add_point(p, k, point->seconds, value_of(point, panel));
		}
	}
}

static bool has_p99(const struct curves *c)
{
	for (size_t i = 0; i < c->nr_points * c->nr; i++)
		if (c->points[i].p99_ns)
			return true;
	return false;
}

int picture_add_intervals(struct picture *p, const struct result *r,
			  const struct syscall_stats *const *rows, size_t nr_rows)
{
	struct curves c = { .rows = rows, .nr = nr_rows < MAX_CURVES ? nr_rows : MAX_CURVES };
	size_t nr, neighbours;
	int err;

	if (!r->intervals || !c.nr)
		return 0;
	err = intervals_count(r->intervals, r->profile, &nr);
	neighbours = (nr + MAX_POINTS - 1) / MAX_POINTS;
	c.room = nr;
	c.points = calloc(nr * c.nr + 1, sizeof(*c.points));
	if (!err && !c.points)
		err = -ENOMEM;
	if (!err && nr)
		err = intervals_each_sum(r->intervals, r->profile, neighbours, add_points, &c);
	for (size_t panel = 0; !err && c.nr_points && panel < 3; panel++) {
		bool known = panel == 0 ||
			     (panel == 1 ? !(r->profile->unknown & figures[FIGURE_busy_ns].needs)
					 : has_p99(&c));

		if (known)
			add_panel(p, &c, panel);
	}
	free(c.points);
	return err;
}
