// SPDX-License-Identifier: GPL-2.0
#include "model/profile.h"

#include <stdlib.h>

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

/* Removes the syscalls that were not called meanwhile. */
static void subtract_syscalls(struct profile *p, const struct profile *before)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		struct syscall_stats *s = &p->syscalls[i];
		const struct syscall_stats *b = profile_find_syscall(before, s->abi, s->nr);

		if (s->calls <= (b ? b->calls : 0)) {
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
static void file_stats_subtract(struct file_stats *f, const struct file_stats *before)
{
	size_t nr = 0, b = 0;

	for (size_t i = 0; i < f->nr_calls; i++) {
		struct file_call *c = &f->calls[i];

		/*
		 * Calls are never removed from a file, so before's are some of these, in their
		 * order.
		 */
		if (b < before->nr_calls && before->calls[b].abi == c->abi &&
		    before->calls[b].nr == c->nr)
			figures_subtract(SCOPE_FILE, c, &before->calls[b++]);
		if (c->calls)
			f->calls[nr++] = *c;
	}
	f->nr_calls = nr;
}

/*
 * Removes the files that were not used meanwhile. Rows are never removed during a run, and keep
 * their order.
 */
static void subtract_files(struct profile *p, const struct profile *before)
{
	size_t nr = 0, b = 0;

	for (size_t i = 0; i < p->nr_files; i++) {
		struct file_stats *f = &p->files[i];

		while (b < before->nr_files && before->files[b].id < f->id)
			b++;
		if (b < before->nr_files && before->files[b].id == f->id)
			file_stats_subtract(f, &before->files[b]);
		if (f->nr_calls && !(p->unknown & UNKNOWN_FILES))
			p->files[nr++] = *f;
		else
			file_stats_free(f);
	}
	p->nr_files = nr;
}

/* Subtracts the calls of a group as it was before, and removes those that did not happen since. */
static void group_stats_subtract(struct group_stats *g, const struct group_stats *before)
{
	size_t nr = 0;

	for (size_t i = 0; i < g->nr_calls; i++) {
		struct group_call *c = &g->calls[i];
		const struct group_call *b = group_stats_find_call(before, c->abi, c->nr);

		if (b) {
			figures_subtract(SCOPE_GROUP, c, b);
			if (b->timed)
				histogram_extremes(&file_latency_scale, c->latency, &c->min_ns,
						   &c->max_ns);
			errno_counts_subtract(c->errnos, &c->nr_errnos, b->errnos, b->nr_errnos);
		}
		if (c->calls)
			g->calls[nr++] = *c;
		else
			free(c->errnos);
	}
	g->nr_calls = nr;
}

/* Removes the groups that made no calls meanwhile. */
static void subtract_groups(struct profile *p, const struct profile *before)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_groups; i++) {
		struct group_stats *g = &p->groups[i];
		const struct group_stats *b = profile_find_group(before, g->id);

		if (b)
			group_stats_subtract(g, b);
		if (g->nr_calls)
			p->groups[nr++] = *g;
		else
			group_stats_free(g);
	}
	p->nr_groups = nr;
}

int profile_difference(struct profile *out, const struct profile *now, const struct profile *before)
{
	int err = profile_copy(out, now);

	if (err)
		return err;
	out->unknown |= before->unknown;
	out->elapsed_ns = sub_saturated(now->elapsed_ns, before->elapsed_ns);
	subtract_tallies(out, before);
	subtract_syscalls(out, before);
	subtract_files(out, before);
	subtract_groups(out, before);
	return 0;
}
