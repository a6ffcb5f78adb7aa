/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Budgets of a comparison: what no side's ratio to the first side's may be.
 *
 *   ratio.wall            the wall time, without iotrace if it was measured so
 *   ratio.SYSCALL.FIGURE  calls, bytes, errors, total_ns, p50_ns or p99_ns of a syscall; "write" is
 *                         that of each ABI, "write@32" of one
 *   ratio.total.FIGURE    ... of all syscalls
 *
 * Then one of > >= < <= == !=, and a number: 'ratio.write.calls>1.1'.
 */
#pragma once

#include "model/budget.h"
#include "model/compare.h"

struct ratio_budget {
	const char *text; /* as given; not owned */
	char name[64];	  /* "wall", "total", or the syscall's */
	enum compared_figure figure;
	struct limit limit;
};

/* Is it a budget of a comparison? */
bool is_ratio_budget(const char *text);

/* As budget_parse(). */
int ratio_budget_parse(struct ratio_budget *b, const char *text, char *why, size_t size);

/* Is it about the wall time? */
bool ratio_budget_is_wall(const struct ratio_budget *b);
/* The syscall that it is about; NULL: it is about something else. */
const char *ratio_budget_syscall(const struct ratio_budget *b);

/* As budget_check(); a ratio of nothing to nothing keeps every budget. */
enum budget_result ratio_budget_check(const struct ratio_budget *b, const struct comparison *c,
				      char *why, size_t size);
