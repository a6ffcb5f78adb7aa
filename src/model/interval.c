// SPDX-License-Identifier: GPL-2.0
#include "model/interval.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "base/text.h"
#include "model/figures.h"
#include "model/profile_files.h"
#include "model/profile_groups.h"
#include "model/tallies.h"

/* ---- what is kept ---- */

/* Adds the calls on a file to a row. 0 or -ENOMEM. */
static int merge_calls(struct file_stats *f, const struct file_stats *src)
{
	for (size_t i = 0; i < src->nr_calls; i++) {
		const struct file_call *from = &src->calls[i];
		struct file_call *to = file_stats_call(f, from->abi, from->nr);

		if (!to)
			return -ENOMEM;
		memcpy(to->name, from->name, sizeof(to->name));
		to->transfers |= from->transfers;
		file_call_merge(to, from);
	}
	return 0;
}

/* Returns the row (other) of the files. NULL: no memory. */
static struct file_stats *other_files(struct profile *p)
{
	struct file_stats *other = profile_file(p, FILE_ID_OTHER);

	if (other && !other->path)
		other->path = strdup("(other)");
	return other && other->path ? other : NULL;
}

/* Copies what an interval keeps of a file. */
static int copy_file(struct profile *p, const struct file_stats *src)
{
	struct file_stats kept = *src, *f = profile_file(p, src->id);

	if (!f)
		return -ENOMEM;
	kept.nr_users = kept.nr_groups = kept.nr_sites = 0;
	kept.more_users = kept.processes = 0;
	memset(&kept.busy, 0, sizeof(kept.busy));
	return file_stats_copy(f, &kept);
}

/* Keeps the first of the files, which are sorted by time, and adds the rest to (other). */
static int keep_files(struct profile *p, const struct file_stats *files, size_t nr)
{
	size_t kept = 0;
	int err = 0;

	for (size_t i = 0; !err && i < nr; i++) {
		const struct file_stats *f = &files[i];
		struct file_stats *other;

		if (f->id != FILE_ID_OTHER && kept < INTERVAL_FILES) {
			err = copy_file(p, f);
			kept++;
			continue;
		}
		other = other_files(p);
		err = other ? merge_calls(other, f) : -ENOMEM;
	}
	return err;
}

static int merge_group(struct group_stats *g, const struct group_stats *src)
{
	int err = 0;

	for (size_t i = 0; !err && i < src->nr_calls; i++) {
		const struct group_call *from = &src->calls[i];
		struct group_call *to = group_stats_call(g, from->abi, from->nr);

		if (!to)
			return -ENOMEM;
		memcpy(to->name, from->name, sizeof(to->name));
		err = group_call_merge(to, from);
	}
	return err;
}

/* A group of a profile, and how long it was busy. */
struct ranked_group {
	const struct group_stats *group;
	uint64_t busy_ns, calls;
};

static int by_weight(const void *x, const void *y)
{
	const struct ranked_group *a = x, *b = y;

	if (a->busy_ns != b->busy_ns)
		return a->busy_ns < b->busy_ns ? 1 : -1;
	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return (a->group->id > b->group->id) - (a->group->id < b->group->id);
}

/* Keeps the groups that were busy longest, and adds the rest to (other). */
static int keep_groups(struct profile *p, const struct group_stats *groups, size_t nr)
{
	struct ranked_group *ranked = calloc(nr + 1, sizeof(*ranked));
	size_t kept = 0;
	int err = ranked ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < nr; i++) {
		struct group_call sum;

		group_stats_sum(&sum, &groups[i]);
		ranked[i].group = &groups[i];
		ranked[i].busy_ns = figure_value_in(SCOPE_GROUP, FIGURE_busy_ns, &sum);
		ranked[i].calls = sum.calls;
	}
	if (!err)
		qsort(ranked, nr, sizeof(*ranked), by_weight);
	for (size_t i = 0; !err && i < nr; i++) {
		const struct group_stats *g = ranked[i].group;
		bool own = g->id != GROUP_OTHER && kept++ < INTERVAL_GROUPS;
		struct group_stats *row = profile_group(p, own ? g->id : GROUP_OTHER);

		if (!row)
			err = -ENOMEM;
		else
			err = own ? group_stats_copy(row, g) : merge_group(row, g);
	}
	free(ranked);
	return err;
}

static int keep_findings(struct interval *i, const struct findings *f)
{
	size_t shown = findings_shown(f, false);
	int err = 0;

	for (size_t k = 0; !err && k < shown; k++)
		err = interval_add_finding(
			i, &(struct interval_finding){ f->list[k].id, f->list[k].severity,
						       f->list[k].path, f->list[k].calls });
	return err;
}

int interval_of_result(struct interval *i, const struct result *r, uint64_t end_ns)
{
	struct profile rest = *r->profile;
	int err;

	memset(i, 0, sizeof(*i));
	i->end_ns = end_ns;
	rest.nr_files = rest.nr_groups = rest.nr_inflight = 0;
	err = profile_copy(&i->profile, &rest);
	if (!err)
		err = keep_files(&i->profile, r->files, r->nr_files);
	if (!err)
		err = keep_groups(&i->profile, r->profile->groups, r->profile->nr_groups);
	return err ? err : keep_findings(i, &r->findings);
}

static int by_busy_time(const void *x, const void *y)
{
	const struct file_stats *a = x, *b = y;

	if (a->busy_ns != b->busy_ns)
		return a->busy_ns < b->busy_ns ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static int trim_files(struct profile *p)
{
	struct file_stats *all = p->files;
	size_t nr = p->nr_files;
	int err;

	if (nr <= INTERVAL_FILES)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		struct file_call sum;

		file_stats_sum(&sum, &all[i], NR_SYSCALL_ACTIONS);
		all[i].busy_ns = figure_value_in(SCOPE_FILE, FIGURE_busy_ns, &sum);
	}
	qsort(all, nr, sizeof(*all), by_busy_time);
	p->files = NULL;
	p->nr_files = 0;
	err = keep_files(p, all, nr);
	files_free(all, nr);
	return err;
}

static int trim_groups(struct profile *p)
{
	struct group_stats *all = p->groups;
	size_t nr = p->nr_groups;
	int err;

	if (nr <= INTERVAL_GROUPS)
		return 0;
	p->groups = NULL;
	p->nr_groups = 0;
	err = keep_groups(p, all, nr);
	groups_free(all, nr);
	return err;
}

int interval_trim(struct interval *i)
{
	int err = trim_files(&i->profile);

	return err ? err : trim_groups(&i->profile);
}

void interval_free(struct interval *i)
{
	for (size_t k = 0; k < i->nr_findings; k++)
		free(i->findings[k].path);
	free(i->findings);
	profile_free(&i->profile);
	memset(i, 0, sizeof(*i));
}

static int add_findings(struct interval *i, const struct interval *src)
{
	int err = 0;

	for (size_t k = 0; !err && k < src->nr_findings; k++)
		err = interval_add_finding(i, &src->findings[k]);
	return err;
}

int interval_copy(struct interval *dst, const struct interval *src)
{
	int err;

	memset(dst, 0, sizeof(*dst));
	dst->end_ns = src->end_ns;
	err = profile_copy(&dst->profile, &src->profile);
	return err ? err : add_findings(dst, src);
}

/* ---- findings ---- */

int interval_add_finding(struct interval *i, const struct interval_finding *f)
{
	struct interval_finding *copy;

	for (size_t k = 0; k < i->nr_findings; k++) {
		struct interval_finding *known = &i->findings[k];

		if (!same_text(known->id, f->id) || !same_text(known->path, f->path))
			continue;
		known->calls += f->calls;
		if (f->severity > known->severity)
			known->severity = f->severity;
		return 0;
	}
	if (i->nr_findings == INTERVAL_FINDINGS)
		return 0;
	copy = array_append(&i->findings, &i->nr_findings, sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	*copy = *f;
	copy->path = f->path ? strdup(f->path) : NULL;
	return f->path && !copy->path ? -ENOMEM : 0;
}

/* ---- sums ---- */

static void merge_tallies(struct profile *p, const struct profile *next)
{
	uint64_t in_flight = p->in_flight;

	for (size_t i = 0; i < NR_TALLIES; i++)
		*tally_of(&tallies[i], p) += tally_value(&tallies[i], next);
	/* Calls in flight at the end of the first are among those that the next one has entered. */
	p->entered = sub_saturated(p->entered, in_flight);
	p->in_flight = next->in_flight;
	p->misplaced_calls += next->misplaced_calls;
	p->lost_file_users += next->lost_file_users;
}

static int merge_syscall(struct profile *p, const struct syscall_stats *s)
{
	struct syscall_stats *row = profile_syscall(p, s->abi, s->nr);
	int err = row ? 0 : -ENOMEM;

	if (err)
		return err;
	memcpy(row->name, s->name, sizeof(row->name));
	row->transfers |= s->transfers;
	figures_add(SCOPE_SYSCALL, row, s);
	for (size_t i = 0; !err && i < s->nr_errnos; i++)
		err = syscall_stats_add_errno(row, s->errnos[i].err, s->errnos[i].count);
	return err;
}

/* Adds a file's calls to those of the same file, which need not be there. */
static int merge_file(struct profile *p, const struct file_stats *f)
{
	struct file_stats *row;

	if (!profile_find_file(p, f->id))
		return copy_file(p, f);
	row = profile_file(p, f->id);
	return merge_calls(row, f);
}

static int merge_group_of(struct profile *p, const struct group_stats *g)
{
	struct group_stats *row;

	if (profile_find_group(p, g->id))
		return merge_group(profile_find_group(p, g->id), g);
	row = profile_group(p, g->id);
	return row ? group_stats_copy(row, g) : -ENOMEM;
}

int interval_merge(struct interval *i, const struct interval *next)
{
	const struct profile *src = &next->profile;
	struct profile *p = &i->profile;
	int err = 0;

	i->end_ns = next->end_ns;
	p->elapsed_ns += src->elapsed_ns;
	p->to_ns = src->to_ns;
	busy_add(&p->busy, &src->busy);
	p->unknown |= src->unknown;
	merge_tallies(p, src);
	for (size_t k = 0; !err && k < src->nr_syscalls; k++)
		err = merge_syscall(p, &src->syscalls[k]);
	for (size_t k = 0; !err && k < src->nr_files; k++)
		err = merge_file(p, &src->files[k]);
	for (size_t k = 0; !err && k < src->nr_groups; k++)
		err = merge_group_of(p, &src->groups[k]);
	return err ? err : add_findings(i, next);
}
