// SPDX-License-Identifier: GPL-2.0
/* The groups of a comparison (--by): who makes the sides' calls, by name. */
#include <errno.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/compare.h"

/* A name that groups of any of the runs have. */
struct named {
	struct compared_group group;
	struct group_call sum; /* Of the run that is looked at. */
	bool transfers;	       /* In any of the runs. */
	bool there;	       /* In the run that is looked at. */
	double *samples;       /* By figure and run. NAN: the run has none. */
};

struct gathering {
	struct comparison *c;
	size_t nr_runs; /* Of all sides. */
	bool *full;	/* Of each run: it may have groups that are not known, among (other). */
	void *tree;	/* A tree of tsearch(3), by name. */
	struct named **list;
	size_t nr;
};

static int compare_names(const void *x, const void *y)
{
	const struct compared_group *a = &((const struct named *)x)->group;
	const struct compared_group *b = &((const struct named *)y)->group;
	int order = strcmp(a->names[0], b->names[0]);

	if (!order && a->names[1])
		order = strcmp(a->names[1], b->names[1]);
	/* A program may be called (other). */
	return order ? order : a->other - b->other;
}

static void free_names(struct compared_group *g)
{
	for (size_t i = 0; i < MAX_GROUP_KEYS; i++)
		free(g->names[i]);
}

static void free_named(struct named *n)
{
	free_names(&n->group);
	free(n->group.cells);
	free(n->samples);
	free(n);
}

static bool is_derived(size_t figure)
{
	return figures[compared_figures[figure]].combine == COMBINE_NOT;
}

/*
 * Makes a name's row: a run that does not have it has made no calls, or it is not known how many.
 * NULL: no memory.
 */
static struct named *make_named(const struct gathering *g, const struct group_stats *group)
{
	struct named *n = calloc(1, sizeof(*n));
	char buf[GROUP_NAME_SIZE];

	if (!n)
		return NULL;
	n->group.other = group->id == GROUP_OTHER;
	n->samples = calloc(NR_COMPARED * g->nr_runs, sizeof(*n->samples));
	n->group.cells = calloc(NR_COMPARED * g->c->nr_sides, sizeof(*n->group.cells));
	for (size_t i = 0; i < MAX_GROUP_KEYS && g->c->by[i]; i++)
		n->group.names[i] = strdup(group_name(buf, group, g->c->by[i]));
	if (!n->samples || !n->group.cells || !n->group.names[0] ||
	    (g->c->by[1] && !n->group.names[1])) {
		free_named(n);
		return NULL;
	}
	for (size_t f = 0; f < NR_COMPARED; f++)
		for (size_t run = 0; run < g->nr_runs; run++)
			if (is_derived(f) || (g->full[run] && !n->group.other))
				n->samples[f * g->nr_runs + run] = NAN;
	return n;
}

static struct named *find_or_add(struct gathering *g, const struct group_stats *group)
{
	struct named *n = make_named(g, group), **found, **place;

	found = n ? tsearch(n, &g->tree, compare_names) : NULL;
	if (found && *found == n) {
		place = array_append(&g->list, &g->nr, sizeof(n));
		if (place)
			return *place = n;
		tdelete(n, &g->tree, compare_names);
		found = NULL;
	}
	if (n)
		free_named(n);
	return found ? *found : NULL;
}

static int gather_run(struct gathering *g, size_t run, const struct profile *p)
{
	for (size_t i = 0; i < g->nr; i++) {
		memset(&g->list[i]->sum, 0, sizeof(g->list[i]->sum));
		g->list[i]->there = false;
	}
	for (size_t i = 0; i < p->nr_groups; i++) {
		struct named *n = find_or_add(g, &p->groups[i]);
		struct group_call sum;

		if (!n)
			return -ENOMEM;
		group_stats_sum(&sum, &p->groups[i]);
		figures_add(SCOPE_GROUP, &n->sum, &sum);
		n->transfers |= sum.transfers;
		n->there = true;
	}
	for (size_t i = 0; i < g->nr; i++)
		for (size_t f = 0; f < NR_COMPARED; f++)
			if (g->list[i]->there && (!is_derived(f) || g->list[i]->sum.timed))
				g->list[i]->samples[f * g->nr_runs + run] = (double)figure_value_in(
					SCOPE_GROUP, compared_figures[f], &g->list[i]->sum);
	return 0;
}

static bool is_known(const struct side *side, const struct named *n, size_t figure)
{
	unsigned needs = figures[compared_figures[figure]].needs;

	for (size_t run = 0; run < side->nr_runs; run++)
		if (!figures_known_if(needs, n->transfers, true, side->runs[run]->unknown))
			return false;
	return true;
}

static void make_cells(const struct gathering *g, struct named *n)
{
	for (size_t f = 0; f < NR_COMPARED; f++) {
		struct compared *cells = &n->group.cells[f * g->c->nr_sides];
		double *samples = &n->samples[f * g->nr_runs];

		for (size_t i = 0; i < g->c->nr_sides; i++) {
			const struct side *side = &g->c->sides[i];
			size_t nr = 0;

			for (size_t run = 0; is_known(side, n, f) && run < side->nr_runs; run++)
				if (!isnan(samples[run]))
					samples[nr++] = samples[run];
			cells[i].spread = spread_of(samples, nr);
			samples += side->nr_runs;
		}
		compared_from_first(cells, g->c->nr_sides);
	}
}

const struct compared *compared_group_cells(const struct comparison *c,
					    const struct compared_group *g, enum compared_figure f)
{
	return &g->cells[(size_t)f * c->nr_sides];
}

/* Sorts those of the longest time first, over all sides, then those of most calls. */
static int by_weight(const void *x, const void *y, void *comparison)
{
	static const enum compared_figure keys[] = { COMPARED_TIME, COMPARED_CALLS };
	const struct comparison *c = comparison;
	const struct compared_group *a = x, *b = y;
	int order;

	for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
		double sum_a = 0, sum_b = 0;

		for (size_t i = 0; i < c->nr_sides; i++) {
			sum_a += compared_group_cells(c, a, keys[k])[i].spread.mean;
			sum_b += compared_group_cells(c, b, keys[k])[i].spread.mean;
		}
		if (sum_a != sum_b)
			return sum_a < sum_b ? 1 : -1;
	}
	order = strcmp(a->names[0], b->names[0]);
	return order || !a->names[1] ? order : strcmp(a->names[1], b->names[1]);
}

/* Finds the keys that all runs have. False: some run has others, or none has any. */
static bool find_keys(struct comparison *c)
{
	const struct profile *first = NULL;
	bool any = false, same = true;

	for (size_t i = 0; i < c->nr_sides; i++)
		for (size_t run = 0; run < c->sides[i].nr_runs; run++) {
			const struct profile *p = c->sides[i].runs[run];

			first = first ?: p;
			any = any || p->by[0];
			same = same && !memcmp(p->by, first->by, sizeof(first->by));
		}
	c->keys_differ = !same;
	if (any && same)
		memcpy(c->by, first->by, sizeof(c->by));
	return any && same;
}

/* Finds the runs that had no room for all groups. 0 or -ENOMEM. */
static int find_full(struct gathering *g)
{
	size_t run = 0;

	g->full = calloc(g->nr_runs + 1, sizeof(*g->full));
	if (!g->full)
		return -ENOMEM;
	for (size_t i = 0; i < g->c->nr_sides; i++)
		for (size_t k = 0; k < g->c->sides[i].nr_runs; k++) {
			const struct profile *p = g->c->sides[i].runs[k];

			g->full[run++] = p->nr_groups && p->groups[0].id == GROUP_OTHER;
		}
	return 0;
}

/* Hands the groups over to the comparison. */
static int finish(struct gathering *g)
{
	struct comparison *c = g->c;

	for (size_t i = 0; i < g->nr; i++) {
		struct compared_group *group =
			array_append(&c->groups, &c->nr_groups, sizeof(*group));

		if (!group)
			return -ENOMEM;
		make_cells(g, g->list[i]);
		*group = g->list[i]->group;
		memset(&g->list[i]->group, 0, sizeof(g->list[i]->group));
	}
	if (c->nr_groups)
		qsort_r(c->groups, c->nr_groups, sizeof(*c->groups), by_weight, c);
	return 0;
}

static void free_nothing(void *nothing)
{
	(void)nothing;
}

int compared_groups_make(struct comparison *c)
{
	struct gathering g = { .c = c };
	size_t run = 0;
	int err = 0;

	if (!find_keys(c))
		return 0;
	for (size_t i = 0; i < c->nr_sides; i++)
		g.nr_runs += c->sides[i].nr_runs;
	err = find_full(&g);
	for (size_t i = 0; i < c->nr_sides; i++)
		for (size_t k = 0; !err && k < c->sides[i].nr_runs; k++)
			err = gather_run(&g, run++, c->sides[i].runs[k]);
	tdestroy(g.tree, free_nothing);
	if (!err)
		err = finish(&g);
	for (size_t i = 0; i < g.nr; i++)
		free_named(g.list[i]);
	free(g.full);
	free(g.list);
	return err;
}

void compared_groups_free(struct comparison *c)
{
	for (size_t i = 0; i < c->nr_groups; i++) {
		free_names(&c->groups[i]);
		free(c->groups[i].cells);
	}
	free(c->groups);
}
