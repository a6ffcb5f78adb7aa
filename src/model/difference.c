// SPDX-License-Identifier: GPL-2.0
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/figures.h"
#include "model/files.h"
#include "model/histogram.h"
#include "model/profile_groups.h"
#include "model/tallies.h"

static void subtract_tallies(struct profile *p, const struct profile *before)
{
	uint64_t in_flight = p->in_flight;

	/* Calls that were in flight at the beginning return, die or stay in flight during it. */
	p->entered += before->in_flight;
	for (size_t i = 0; i < NR_TALLIES; i++) {
		uint64_t *tally = tally_of(&tallies[i], p);

		*tally = sub_saturated(*tally, tally_value(&tallies[i], before));
	}
	p->in_flight = in_flight;
	p->nr_program_calls = 0; /* They are of the whole run. */
	p->misplaced_calls = sub_saturated(p->misplaced_calls, before->misplaced_calls);
	p->lost_file_users = sub_saturated(p->lost_file_users, before->lost_file_users);
}

/*
 * Leaves what a row has without calls to the next difference: the figures of a call are read one
 * after the other while calls go on, and the number of calls may be read first.
 */
static void leave_all(enum figure_scope scope, void *now, const void *before)
{
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		const struct figure *f = &figures[id];

		if (f->scope & scope && f->combine == COMBINE_SUM)
			*figure_counter(f, scope, now) =
				before ? *figure_counter(f, scope, (void *)before) : 0;
	}
	for (enum histogram_id id = 0; id < NR_HISTOGRAMS; id++) {
		const struct figure_histogram *h = &figure_histograms[id];
		size_t size;

		if (!(h->scope & scope))
			continue;
		size = figure_scale(h, scope)->nr_buckets * sizeof(uint64_t);
		if (before)
			memcpy(figure_counts(h, scope, now),
			       figure_counts(h, scope, (void *)before), size);
		else
			memset(figure_counts(h, scope, now), 0, size);
	}
}

/* Removes the syscalls that were not called meanwhile. */
static void subtract_syscalls(struct profile *p, struct profile *now, const struct profile *before)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		struct syscall_stats *s = &p->syscalls[i];
		const struct syscall_stats *b = profile_find_syscall(before, s->abi, s->nr);

		if (s->calls <= (b ? b->calls : 0)) {
			leave_all(SCOPE_SYSCALL, &now->syscalls[i], b);
			free(s->errnos);
			continue;
		}
		if (b)
			syscall_stats_subtract(s, b);
		p->syscalls[nr++] = *s;
	}
	p->nr_syscalls = nr;
}

/* Subtracts the calls of a file as it was before, and removes those that did not happen since. */
static void file_stats_subtract(struct file_stats *f, struct file_stats *now,
				const struct file_stats *before)
{
	size_t nr = 0, b = 0;

	for (size_t i = 0; i < f->nr_calls; i++) {
		struct file_call *c = &f->calls[i];
		const struct file_call *was = NULL;

		/*
		 * Calls are never removed from a file, so before's are some of these, in their
		 * order.
		 */
		if (before && b < before->nr_calls && before->calls[b].abi == c->abi &&
		    before->calls[b].nr == c->nr)
			was = &before->calls[b++];
		if (was)
			figures_subtract(SCOPE_FILE, c, was);
		if (!c->calls) {
			leave_all(SCOPE_FILE, &now->calls[i], was);
			continue;
		}
		f->calls[nr++] = *c;
	}
	f->nr_calls = nr;
}

/*
 * Removes the files that were not used meanwhile. Rows are never removed during a run, and keep
 * their order.
 */
static void subtract_files(struct profile *p, struct profile *now, const struct profile *before)
{
	size_t nr = 0, b = 0;

	for (size_t i = 0; i < p->nr_files; i++) {
		struct file_stats *f = &p->files[i];
		const struct file_stats *was = NULL;

		while (b < before->nr_files && before->files[b].id < f->id)
			b++;
		if (b < before->nr_files && before->files[b].id == f->id)
			was = &before->files[b];
		file_stats_subtract(f, &now->files[i], was);
		if (f->nr_calls && !(p->unknown & UNKNOWN_FILES))
			p->files[nr++] = *f;
		else
			file_stats_free(f);
	}
	p->nr_files = nr;
}

/* Subtracts the calls of a group as it was before, and removes those that did not happen since. */
static void group_stats_subtract(struct group_stats *g, struct group_stats *now,
				 const struct group_stats *before)
{
	size_t nr = 0;

	for (size_t i = 0; i < g->nr_calls; i++) {
		struct group_call *c = &g->calls[i];
		const struct group_call *b =
			before ? group_stats_find_call(before, c->abi, c->nr) : NULL;

		if (b) {
			figures_subtract(SCOPE_GROUP, c, b);
			if (b->timed)
				histogram_extremes(&file_latency_scale, c->latency, &c->min_ns,
						   &c->max_ns);
			errno_counts_subtract(c->errnos, &c->nr_errnos, b->errnos, b->nr_errnos);
		}
		if (!c->calls) {
			leave_all(SCOPE_GROUP, &now->calls[i], b);
			free(c->errnos);
			continue;
		}
		g->calls[nr++] = *c;
	}
	g->nr_calls = nr;
}

/* Removes the groups that made no calls meanwhile. */
static void subtract_groups(struct profile *p, struct profile *now, const struct profile *before)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_groups; i++) {
		struct group_stats *g = &p->groups[i];
		const struct group_stats *b = profile_find_group(before, g->id);

		group_stats_subtract(g, &now->groups[i], b);
		if (g->nr_calls)
			p->groups[nr++] = *g;
		else
			group_stats_free(g);
	}
	p->nr_groups = nr;
}

/* Those of tasks that end meanwhile are read at another time than those of running ones. */
static void subtract_busy(struct busy *busy, const struct busy *before)
{
	busy->user_ns = sub_saturated(busy->user_ns, before->user_ns);
	busy->system_ns = sub_saturated(busy->system_ns, before->system_ns);
	busy->run_ns = sub_saturated(busy->run_ns, before->run_ns);
	busy->run_calls = sub_saturated(busy->run_calls, before->run_calls);
}

int profile_difference(struct profile *out, struct profile *now, const struct profile *before)
{
	int err = profile_copy(out, now);

	if (err)
		return err;
	out->unknown |= before->unknown;
	out->elapsed_ns = sub_saturated(now->elapsed_ns, before->elapsed_ns);
	out->from_ns = before->elapsed_ns;
	out->to_ns = now->elapsed_ns;
	subtract_busy(&out->busy, &before->busy);
	subtract_tallies(out, before);
	subtract_syscalls(out, now, before);
	subtract_files(out, now, before);
	subtract_groups(out, now, before);
	return 0;
}
