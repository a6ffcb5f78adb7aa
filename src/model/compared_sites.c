// SPDX-License-Identifier: GPL-2.0
/* The sites of a comparison: where in the code the sides' calls come from. */
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "model/compare.h"
#include "model/profile_files.h"
#include "model/sampled_calls.h"

/* What a site has of a run's calls, by so many samples. */
struct share {
	double calls, samples;
	double variance; /* Of the calls, as a share of all calls, whose number is known. */
	double squares;	 /* The variance of the samples alone. */
};

/* The sites that any of the runs has, and the share of each in each run. */
struct gathering {
	struct comparison *c;
	size_t nr_runs;	       /* Of all sides. */
	struct share **shares; /* For each site, that of each run. */
	size_t nr_shares;      /* The same as the number of sites. */
	bool any_lost;	       /* Some sites may be wrong by more than is known. */
};

/*
 * Are two frames of the same function? Its line may have moved, and its program may be elsewhere.
 */
static bool same_function(const struct code_frame *a, const struct code_frame *b)
{
	if (!a->function || !b->function)
		return a->function == b->function && a->offset == b->offset &&
		       same_text(base_name(a->object), base_name(b->object));
	return !strcmp(a->function, b->function) &&
	       same_text(base_name(a->file), base_name(b->file));
}

static bool same_site(const struct compared_site *a, const struct compared_site *b)
{
	if (a->abi != b->abi || strcmp(a->syscall, b->syscall) != 0 || a->group.nr != b->group.nr ||
	    a->group.interpreter != b->group.interpreter)
		return false;
	for (size_t i = 0; i < a->group.nr; i++)
		if (!same_function(&a->stacks->frames[a->group.frames[i]],
				   &b->stacks->frames[b->group.frames[i]]))
			return false;
	return true;
}

/*
 * Returns the index of a site, which is added if it is new, and takes over its frames. -1: no
 * memory.
 */
static ssize_t find_or_add(struct gathering *g, struct compared_site *site)
{
	struct comparison *c = g->c;
	struct compared_site *added;
	struct share **shares;

	for (size_t i = 0; i < c->nr_sites; i++) {
		if (!same_site(&c->sites[i], site))
			continue;
		free(site->group.frames);
		if (c->sites[i].line != site->line)
			c->sites[i].line = 0;
		return (ssize_t)i;
	}
	shares = array_append(&g->shares, &g->nr_shares, sizeof(*shares));
	if (shares)
		*shares = calloc(g->nr_runs, sizeof(**shares));
	added = shares && *shares ? array_append(&c->sites, &c->nr_sites, sizeof(*added)) : NULL;
	if (!added) {
		free(site->group.frames);
		return -1;
	}
	*added = *site;
	return (ssize_t)(c->nr_sites - 1);
}

/* Adds the share of a site. Who alone has been seen to make calls is taken to make all of them. */
static void add_share(struct share *to, const struct site_group *g, bool alone)
{
	double all = g->share > 0 ? g->calls / g->share : 0;
	double error = alone ? 0 : all * g->share_error;

	to->calls += g->calls;
	to->samples += (double)g->samples;
	to->squares += g->variance * all * all;
	to->variance += error * error;
}

/* Adds the sites of calls in a run. Returns 0 or -ENOMEM. */
static int add_calls(struct gathering *g, size_t run, const struct sampled_call *call,
		     const struct stacks *stacks)
{
	struct site_group *groups;
	size_t nr =
		site_groups_make(&groups, stacks, call->sites, call->nr_sites, false, WEIGHT_CALLS);
	int err = 0;

	if (nr == SIZE_MAX)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		struct compared_site site = { .abi = call->abi, .stacks = stacks };
		ssize_t at;

		strncpy(site.syscall, call->name, sizeof(site.syscall) - 1);
		site.group = groups[i];
		site.line = site.group.nr ? stacks->frames[site.group.frames[0]].line : 0;
		groups[i].frames = NULL; /* They are the site's now. */
		at = find_or_add(g, &site);
		if (at < 0)
			err = -ENOMEM;
		else
			add_share(&g->shares[at][run], &groups[i], nr == 1);
	}
	site_groups_free(groups, nr);
	return err;
}

static int add_run(struct gathering *g, size_t run, const struct profile *p)
{
	struct result r = { .profile = p };
	struct sampled_calls calls = { .list = NULL };
	int err = 0;

	if (!(p->unknown & UNKNOWN_FILES))
		err = files_by_path(p, &r.files, &r.nr_files);
	if (!err)
		err = sampled_calls_collect(&calls, &r);
	for (size_t i = 0; !err && i < calls.nr; i++)
		err = add_calls(g, run, &calls.list[i], &p->stacks);
	sampled_calls_free(&calls);
	files_free(r.files, r.nr_files);
	return err;
}

static int gather(struct gathering *g)
{
	size_t run = 0;
	int err = 0;

	for (size_t i = 0; i < g->c->nr_sides; i++)
		for (size_t k = 0; !err && k < g->c->sides[i].nr_runs; k++)
			err = add_run(g, run++, g->c->sides[i].runs[k]);
	return err;
}

/* Are samples missing of any run? */
static bool any_lost_samples(const struct comparison *c)
{
	for (size_t i = 0; i < c->nr_sides; i++)
		for (size_t k = 0; k < c->sides[i].nr_runs; k++)
			if (c->sides[i].runs[k]->stacks.lost)
				return true;
	return false;
}

/* Are there samples of all runs? Otherwise a site that has none may have had calls. */
static bool all_are_sampled(const struct comparison *c)
{
	for (size_t i = 0; i < c->nr_sides; i++)
		for (size_t k = 0; k < c->sides[i].nr_runs; k++)
			if (!c->sides[i].runs[k]->stacks.samples)
				return false;
	return true;
}

/*
 * Of what has no sample, up to three may have been missed in one of 20 runs ("rule of three"),
 * which is two standard errors.
 */
#define MISSED_SAMPLES 1.5

/* The variance of the calls that a site has in a run; other: what it has in another. */
static double variance_of(const struct share *s, const struct share *other)
{
	if (s->samples > 0 || !(other->squares > 0))
		return s->variance;
	return MISSED_SAMPLES * MISSED_SAMPLES * other->squares / other->samples;
}

/* Of single runs it is known how far samples may be wrong, though not how runs differ. */
static void test_single_runs(struct difference *d, const struct share *first,
			     const struct share *other)
{
	double variance = variance_of(first, other) + variance_of(other, first), p;

	if (!(variance > 0))
		return;
	p = 2 * gsl_cdf_ugaussian_Q(fabs(other->calls - first->calls) / sqrt(variance));
	if (p < SIGNIFICANCE)
		return;
	d->p = p;
	d->kind = WITHIN_NOISE;
}

/* Fills in a site's cells. Returns 0 or -ENOMEM. */
static int compare_site(struct gathering *g, size_t site)
{
	struct compared *cells = g->c->sites[site].cells;
	const struct share *first = g->shares[site], *share = first;
	double *calls = calloc(g->nr_runs, sizeof(*calls)), *at = calls;

	if (!calls)
		return -ENOMEM;
	/* Shares that add up to all calls do so but for rounding. */
	for (size_t run = 0; run < g->nr_runs; run++)
		calls[run] = round(first[run].calls);
	for (size_t i = 0; i < g->c->nr_sides; i++) {
		cells[i].spread = spread_of(at, g->c->sides[i].nr_runs);
		at += g->c->sides[i].nr_runs;
	}
	compared_from_first(cells, g->c->nr_sides);
	for (size_t i = 0; i < g->c->nr_sides; i++) {
		if (i && g->c->sides[0].nr_runs == 1 && g->c->sides[i].nr_runs == 1)
			test_single_runs(&cells[i].difference, first, share);
		if (i && g->any_lost) {
			cells[i].difference.kind = DIFFERENCE_UNTESTED;
			cells[i].difference.p = NAN;
		}
		share += g->c->sides[i].nr_runs;
	}
	free(calls);
	return 0;
}

double compared_site_change(const struct compared_site *site, size_t nr_sides)
{
	double change = 0;

	for (size_t i = 1; i < nr_sides; i++)
		change =
			fmax(change, fabs(site->cells[i].spread.mean - site->cells[0].spread.mean));
	return change;
}

static int by_change(const void *x, const void *y, void *nr_sides)
{
	double a = compared_site_change(x, *(size_t *)nr_sides);
	double b = compared_site_change(y, *(size_t *)nr_sides);

	return (b > a) - (b < a);
}

int compared_sites_make(struct comparison *c)
{
	struct gathering g = { .c = c, .any_lost = any_lost_samples(c) };
	int err = 0;

	for (size_t i = 0; i < c->nr_sides; i++)
		g.nr_runs += c->sides[i].nr_runs;
	if (all_are_sampled(c))
		err = gather(&g);
	for (size_t i = 0; !err && i < c->nr_sites; i++)
		err = compare_site(&g, i);
	if (!err && c->nr_sites)
		qsort_r(c->sites, c->nr_sites, sizeof(*c->sites), by_change, &c->nr_sides);
	for (size_t i = 0; i < g.nr_shares; i++)
		free(g.shares[i]);
	free(g.shares);
	return err;
}
