// SPDX-License-Identifier: GPL-2.0
#include "model/program_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "model/profile.h"

int profile_add_program_calls(struct profile *p, const struct program_calls *calls)
{
	struct program_calls *row;

	if (!calls->calls)
		return 0;
	row = array_append(&p->program_calls, &p->nr_program_calls, sizeof(*row));
	if (!row)
		return -ENOMEM;
	*row = *calls;
	row->comm[sizeof(row->comm) - 1] = '\0';
	return 0;
}

static int by_comm(const void *x, const void *y)
{
	const struct program_calls *a = x, *b = y;

	return strcmp(a->comm, b->comm);
}

static int by_calls(const void *x, const void *y)
{
	const struct program_calls *a = x, *b = y;

	return a->calls != b->calls ? (a->calls < b->calls) - (a->calls > b->calls) : by_comm(x, y);
}

void profile_sort_program_calls(struct profile *p)
{
	struct program_calls *rows = p->program_calls;
	size_t nr = 0;

	if (!p->nr_program_calls)
		return;
	qsort(rows, p->nr_program_calls, sizeof(*rows), by_comm);
	for (size_t i = 0; i < p->nr_program_calls; i++) {
		if (!nr || by_comm(&rows[nr - 1], &rows[i])) {
			rows[nr++] = rows[i];
			continue;
		}
		rows[nr - 1].processes += rows[i].processes;
		rows[nr - 1].calls += rows[i].calls;
		rows[nr - 1].total_ns += rows[i].total_ns;
	}
	p->nr_program_calls = nr;
	qsort(rows, nr, sizeof(*rows), by_calls);
}

struct program_calls profile_other_program_calls(const struct profile *p)
{
	struct program_calls other = { .comm = "(other)" };
	struct syscall_stats sum;

	profile_sum(&sum, p);
	other.calls = sum.calls;
	other.total_ns = sum.total_ns;
	for (size_t i = 0; i < p->nr_program_calls; i++) {
		other.calls = sub_saturated(other.calls, p->program_calls[i].calls);
		other.total_ns = sub_saturated(other.total_ns, p->program_calls[i].total_ns);
	}
	return other;
}
