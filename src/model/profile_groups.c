// SPDX-License-Identifier: GPL-2.0
#include "model/profile_groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "model/figures.h"
#include "model/files.h"

/* Returns the index of the first row whose id is not below this one. */
static size_t group_position(const struct profile *p, uint32_t id)
{
	size_t low = 0, high = p->nr_groups;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->groups[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct group_stats *profile_find_group(const struct profile *p, uint32_t id)
{
	size_t at = group_position(p, id);

	return at < p->nr_groups && p->groups[at].id == id ? &p->groups[at] : NULL;
}

struct group_stats *profile_group(struct profile *p, uint32_t id)
{
	struct group_stats *g = profile_find_group(p, id);

	if (g)
		return g;
	g = array_insert(&p->groups, &p->nr_groups, group_position(p, id), sizeof(*g));
	if (g) {
		g->id = id;
		g->uid = -1;
	}
	return g;
}

int profile_name_executables(struct profile *p)
{
	for (size_t i = 0; i < p->nr_groups; i++) {
		struct group_stats *g = &p->groups[i];
		const struct program_stats *program;
		struct file_user user = { .pid = g->pid };

		memcpy(user.comm, g->process, sizeof(user.comm));
		program = g->pid ? profile_program_of_user(p, &user) : NULL;
		if (g->pid && !program) /* It has renamed itself. */
			program = profile_only_program(p, g->pid);
		if (g->exe || !program || !program->exe)
			continue;
		g->exe = strdup(program->exe);
		if (!g->exe)
			return -ENOMEM;
	}
	return 0;
}

/* Makes a group's call of the figures of a syscall, whose latencies are those of all its calls. */
static void take_rest(struct group_call *rest, const struct syscall_stats *s,
		      const struct group_call *groups)
{
	memcpy(rest->name, s->name, sizeof(rest->name));
	rest->transfers = s->transfers;
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figure_is_counter(&figures[id], SCOPE_GROUP))
			*figure_counter(&figures[id], SCOPE_GROUP, rest) =
				*figure_counter(&figures[id], SCOPE_SYSCALL, (void *)s);
	for (uint32_t i = 0; i < LATENCY_BUCKETS; i++)
		rest->latency[i >> LATENCY_SUB_LOG2] += s->latency[i];
	for (uint32_t i = 0; i < FILE_LATENCY_BUCKETS; i++)
		rest->latency[i] = sub_saturated(rest->latency[i], groups->latency[i]);
	memcpy(rest->sizes, s->sizes, sizeof(rest->sizes));
}

int profile_complete_syscall(struct profile *p, struct syscall_stats *s,
			     const struct group_call *groups)
{
	struct group_stats *other;
	struct group_call *rest;

	if (s->calls) {
		other = profile_group(p, GROUP_OTHER);
		rest = other ? group_stats_call(other, s->abi, s->nr) : NULL;
		if (!rest)
			return -ENOMEM;
		take_rest(rest, s, groups);
	}
	return syscall_stats_add_group(s, groups);
}

/* Subtracts a call's sums from those that are left of its syscall. False: there are fewer. */
static bool take_from(struct syscall_stats *left, const struct group_call *c, bool estimated)
{
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		const struct figure *f = &figures[id];
		uint64_t *whole = figure_counter(f, SCOPE_SYSCALL, left);
		uint64_t part = *figure_counter(f, SCOPE_GROUP, (void *)c);

		if (!figure_is_counter(f, SCOPE_GROUP) || f->combine != COMBINE_SUM ||
		    (estimated && f->needs & UNKNOWN_LATENCY))
			continue;
		if (part > *whole)
			return false;
		*whole -= part;
	}
	return true;
}

/* Is nothing left of a syscall? */
static bool is_used_up(const struct syscall_stats *left, bool estimated)
{
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		const struct figure *f = &figures[id];

		if (figure_is_counter(f, SCOPE_GROUP) && f->combine == COMBINE_SUM &&
		    !(estimated && f->needs & UNKNOWN_LATENCY) &&
		    *figure_counter(f, SCOPE_SYSCALL, (void *)left))
			return false;
	}
	return true;
}

int profile_check_groups(const struct profile *p)
{
	struct profile left = { .nr_syscalls = p->nr_syscalls };
	bool estimated = p->sample_latency > 1;
	int err = 0;

	left.syscalls = array_copy(p->syscalls, p->nr_syscalls, sizeof(*p->syscalls));
	if (!left.syscalls)
		return -ENOMEM;
	for (size_t i = 0; i < p->nr_groups; i++)
		for (size_t c = 0; !err && c < p->groups[i].nr_calls; c++) {
			const struct group_call *call = &p->groups[i].calls[c];
			struct syscall_stats *s = profile_find_syscall(&left, call->abi, call->nr);

			err = s && take_from(s, call, estimated) ? 0 : -EINVAL;
		}
	for (size_t i = 0; i < left.nr_syscalls && !err; i++)
		err = is_used_up(&left.syscalls[i], estimated) ? 0 : -EINVAL;
	free(left.syscalls);
	return err;
}
