/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Budgets: what a run must not exceed, as "write.calls>1000". What stands before the point is a row
 * in budget_subjects.c; each has its figures.
 *
 *   SYSCALL.FIGURE     the figures of bpf/figures.h under their keys, those of rates.h a second,
 *                      and time-share (of the run's time); "write" is that of all ABIs,
 *                      "write@32" of one
 *   KEY.GROUP.SYSCALL.FIGURE, KEY.GROUP.total.FIGURE
 *                      the same of the groups of --by with this name: comm.cc1.openat.calls
 *   total.FIGURE       calls, errors, bytes, total_ns, time-share and the rates of all syscalls
 *   findings.SEVERITY  the number of findings of at least this severity: info, low, medium, high
 *   FINDING.FIGURE     of all findings of this id: count, calls, predicted_calls, time-share, and
 *                      saving_ns (of wall time, the lower bound)
 *
 * Those of a comparison say what no side's ratio to the first side's may be:
 *
 *   ratio.wall            the wall time, without iotrace if it was measured so
 *   ratio.SYSCALL.FIGURE  calls, bytes, errors, total_ns, p50_ns or p99_ns of a syscall; "write" is
 *                         that of each ABI, "write@32" of one
 *   ratio.total.FIGURE    ... of all syscalls
 *
 * Then one of > >= < <= == !=, and a number: plain, or with ns, us, ms, s, k, M, G or %, but of a
 * ratio a plain one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/budget_subjects.h"
#include "model/result.h"
#include "model/syscalls.h"

struct comparison;

bool limit_is_broken(const struct limit *limit, double value);

enum budget_result {
	BUDGET_KEPT,
	BUDGET_BROKEN,
	BUDGET_UNKNOWN, /* The run did not measure the figure. */
};

/* Is it a budget of a comparison? */
bool is_ratio_budget(const char *text);

/*
 * Returns 0, or -EINVAL with the offending word and what there is in why; then there is nothing to
 * free. text outlives the budget.
 */
int budget_parse(struct budget *b, const char *text, char *why, size_t size);

void budget_free(struct budget *b);

/*
 * Checks a budget of a run. Unless it is kept, says why in one line, without a line end. If it is
 * kept because the run has no such group, it says that; otherwise why is empty.
 */
enum budget_result budget_check(const struct budget *b, const struct result *r, char *why,
				size_t size);
/* Checks a budget of a comparison. A ratio of nothing to nothing keeps every budget. */
enum budget_result ratio_budget_check(const struct budget *b, const struct comparison *c, char *why,
				      size_t size);
