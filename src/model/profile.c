// SPDX-License-Identifier: GPL-2.0
#include "model/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/figures.h"
#include "model/files.h"
#include "model/provenance.h"

static void free_files(struct profile *p)
{
	for (size_t i = 0; i < p->nr_files; i++)
		file_stats_free(&p->files[i]);
	free(p->files);
}

void profile_free(struct profile *p)
{
	for (size_t i = 0; i < p->nr_syscalls; i++)
		free(p->syscalls[i].errnos);
	free(p->syscalls);
	free(p->inflight);
	programs_free(p);
	free_files(p);
	memset(p, 0, sizeof(*p));
}

/* The index of (abi, nr) in the sorted rows, or the index to insert it at. */
static size_t syscall_position(const struct profile *p, enum iotrace_abi abi, int nr, bool *found)
{
	size_t low = 0, high = p->nr_syscalls;

	*found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct syscall_stats *s = &p->syscalls[middle];

		if (s->abi == abi && s->nr == nr) {
			*found = true;
			return middle;
		}
		if (s->abi < abi || (s->abi == abi && s->nr < nr))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct syscall_stats *profile_find_syscall(const struct profile *p, enum iotrace_abi abi, int nr)
{
	bool found;
	size_t at = syscall_position(p, abi, nr, &found);

	return found ? &p->syscalls[at] : NULL;
}

struct syscall_stats *profile_syscall(struct profile *p, enum iotrace_abi abi, int nr)
{
	struct syscall_stats *row;
	bool found;
	size_t at = syscall_position(p, abi, nr, &found);

	if (found)
		return &p->syscalls[at];
	row = array_insert(&p->syscalls, &p->nr_syscalls, at, sizeof(*row));
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

static int copy_inflight(struct profile *dst, const struct profile *src)
{
	if (!src->nr_inflight)
		return 0;
	dst->inflight = array_copy(src->inflight, src->nr_inflight, sizeof(*src->inflight));
	if (!dst->inflight)
		return -ENOMEM;
	dst->nr_inflight = src->nr_inflight;
	return 0;
}

static int copy_syscalls(struct profile *dst, const struct profile *src)
{
	if (!src->nr_syscalls)
		return 0;
	dst->syscalls = array_copy(src->syscalls, src->nr_syscalls, sizeof(*src->syscalls));
	if (!dst->syscalls)
		return -ENOMEM;
	/*
	 * Count a row only when it owns its errnos, so that profile_free() is correct at any time.
	 */
	for (; dst->nr_syscalls < src->nr_syscalls; dst->nr_syscalls++) {
		struct syscall_stats *s = &dst->syscalls[dst->nr_syscalls];

		s->errnos = array_copy(s->errnos, s->nr_errnos, sizeof(*s->errnos));
		if (!s->errnos)
			return -ENOMEM;
	}
	return 0;
}

/* Everything but the arrays. */
static void copy_figures(struct profile *dst, const struct profile *src)
{
	*dst = *src;
	dst->syscalls = NULL;
	dst->nr_syscalls = 0;
	dst->inflight = NULL;
	dst->nr_inflight = 0;
	dst->files = NULL;
	dst->nr_files = 0;
	dst->programs = NULL;
	dst->nr_programs = 0;
}

static int copy_files(struct profile *dst, const struct profile *src)
{
	int err = 0;

	if (!src->nr_files)
		return 0;
	dst->files = reallocarray(NULL, src->nr_files, sizeof(*dst->files));
	if (!dst->files)
		return -ENOMEM;
	while (!err && dst->nr_files < src->nr_files) {
		err = file_stats_copy(&dst->files[dst->nr_files], &src->files[dst->nr_files]);
		dst->nr_files += !err;
	}
	return err;
}

const struct provenance *profile_provenance(const struct profile *p)
{
	static const struct provenance nothing = { .status = -1 };

	return p->provenance ? p->provenance : &nothing;
}

int profile_copy(struct profile *dst, const struct profile *src)
{
	int err;

	copy_figures(dst, src);
	err = copy_syscalls(dst, src);
	if (!err)
		err = copy_inflight(dst, src);
	if (!err)
		err = copy_files(dst, src);
	if (err)
		profile_free(dst);
	return err;
}

void profile_sum(struct syscall_stats *sum, const struct profile *p)
{
	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < p->nr_syscalls; i++) {
		figures_add(SCOPE_SYSCALL, sum, &p->syscalls[i]);
		sum->transfers |= p->syscalls[i].transfers;
	}
}
