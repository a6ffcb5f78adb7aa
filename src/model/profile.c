// SPDX-License-Identifier: GPL-2.0
#include "model/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/figures.h"
#include "model/files.h"
#include "model/provenance.h"

void profile_free(struct profile *p)
{
	for (size_t i = 0; i < p->nr_syscalls; i++)
		free(p->syscalls[i].errnos);
	free(p->syscalls);
	free(p->inflight);
	programs_free(p);
	free(p->program_calls);
	process_groups_free(p);
	files_free(p->files, p->nr_files);
	groups_free(p->groups, p->nr_groups);
	stacks_free(&p->stacks);
	memset(p, 0, sizeof(*p));
}

/* Returns the index of the first row that is not before (abi, nr). */
static size_t syscall_position(const struct profile *p, enum iotrace_abi abi, int nr)
{
	size_t low = 0, high = p->nr_syscalls;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct syscall_stats *s = &p->syscalls[middle];

		if (s->abi < abi || (s->abi == abi && s->nr < nr))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct syscall_stats *profile_find_syscall(const struct profile *p, enum iotrace_abi abi, int nr)
{
	size_t at = syscall_position(p, abi, nr);
	struct syscall_stats *row = at < p->nr_syscalls ? &p->syscalls[at] : NULL;

	return row && row->abi == abi && row->nr == nr ? row : NULL;
}

struct syscall_stats *profile_syscall(struct profile *p, enum iotrace_abi abi, int nr)
{
	struct syscall_stats *row = profile_find_syscall(p, abi, nr);

	if (row)
		return row;
	row = array_insert(&p->syscalls, &p->nr_syscalls, syscall_position(p, abi, nr),
			   sizeof(*row));
	if (row) {
		row->abi = abi;
		row->nr = nr;
	}
	return row;
}

static int by_duration(const void *a, const void *b)
{
	const struct inflight_call *x = a, *y = b;

	if (x->since_ns != y->since_ns)
		return y->since_ns > x->since_ns ? 1 : -1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

void profile_sort_inflight(struct profile *p)
{
	if (p->nr_inflight)
		qsort(p->inflight, p->nr_inflight, sizeof(*p->inflight), by_duration);
}

const struct provenance *profile_provenance(const struct profile *p)
{
	static const struct provenance nothing = { .status = -1 };

	return p->provenance ? p->provenance : &nothing;
}

int profile_copy(struct profile *dst, const struct profile *src)
{
	*dst = *src;
	/* These are read when tracing has ended. */
	dst->programs = NULL;
	dst->program_calls = NULL;
	dst->process_groups = NULL;
	memset(&dst->stacks, 0, sizeof(dst->stacks));
	dst->nr_programs = dst->nr_program_calls = dst->nr_process_groups = 0;
	dst->nr_syscalls = dst->nr_files = dst->nr_groups = 0;
	dst->syscalls = array_copy(src->syscalls, src->nr_syscalls, sizeof(*src->syscalls));
	dst->files = array_copy(src->files, src->nr_files, sizeof(*src->files));
	dst->groups = array_copy(src->groups, src->nr_groups, sizeof(*src->groups));
	dst->inflight = NULL; /* Whoever lists the calls in flight anew makes the array. */
	if (src->nr_inflight)
		dst->inflight = array_copy(src->inflight, src->nr_inflight, sizeof(*src->inflight));
	if (!dst->syscalls || !dst->files || !dst->groups || (src->nr_inflight && !dst->inflight))
		goto fail;
	/* A row is counted once it owns what it points to, so that only that is freed. */
	for (; dst->nr_syscalls < src->nr_syscalls; dst->nr_syscalls++) {
		struct syscall_stats *s = &dst->syscalls[dst->nr_syscalls];

		s->errnos = array_copy(s->errnos, s->nr_errnos, sizeof(*s->errnos));
		if (!s->errnos)
			goto fail;
	}
	for (; dst->nr_files < src->nr_files; dst->nr_files++) {
		struct file_stats *f = &dst->files[dst->nr_files];

		if (file_stats_copy(f, &src->files[dst->nr_files]))
			goto fail;
		f->nr_sites = 0; /* They refer to the stacks. */
	}
	for (; dst->nr_groups < src->nr_groups; dst->nr_groups++)
		if (group_stats_copy(&dst->groups[dst->nr_groups], &src->groups[dst->nr_groups]))
			goto fail;
	return 0;
fail:
	profile_free(dst);
	return -ENOMEM;
}

bool profile_has_calls(const struct profile *p)
{
	bool any = false;

	for (size_t i = 0; i < p->nr_syscalls; i++)
		any = any || p->syscalls[i].calls;
	return any;
}

void profile_sum(struct syscall_stats *sum, const struct profile *p)
{
	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < p->nr_syscalls; i++) {
		figures_add(SCOPE_SYSCALL, sum, &p->syscalls[i]);
		sum->transfers |= p->syscalls[i].transfers;
	}
}

bool profile_has_idle(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_syscalls; i++)
		if (figure_known(FIGURE_idle_ns, &p->syscalls[i], p->unknown) &&
		    p->syscalls[i].idle_ns)
			return true;
	return false;
}
