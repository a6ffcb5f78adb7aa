/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Budgets: what a run must not exceed, as "write.calls>1000". What stands before the point is a row
 * in budget.c's subjects[]; each has its figures.
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

#include "model/result.h"
#include "model/syscalls.h"

struct budget_subject;
struct comparison;

/* A number, and on which sides of it a figure breaks the limit: bits, which budget.c defines. */
struct limit {
	unsigned broken;
	double value;
};

bool limit_is_broken(const struct limit *limit, double value);

struct budget {
	const char *text; /* The text as it was given; not owned. */
	const struct budget_subject *subject;
	char name[64]; /* What stands before the point. */
	unsigned key;  /* With a group: the key of --by, BY_... 0: it is about all calls. */
	char *group;   /* The name of the group. NULL: there is none. */
	int figure;    /* The number of the subject's figure. */
	struct limit limit;
};

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

/* Returns what the run has to measure for the budget: enum profile_unknown. */
unsigned budget_needs(const struct budget *b);
/* The syscall that must be among those that are traced, "write@32". NULL: any. */
const char *budget_syscall(const struct budget *b);

/* Returns the key of --by that tells its calls apart, BY_... 0: it is about all calls. */
unsigned budget_key(const struct budget *b);

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
