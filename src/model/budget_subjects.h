/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What budgets are about: what stands before the point of "write.calls>1000", the figures that may
 * follow it, and their values. A new subject is a row of budget_subjects[].
 */
#pragma once

#include <stdbool.h>

#include "model/figures.h"
#include "model/rates.h"
#include "model/result.h"

struct budget_subject;

/* A number, and on which sides of it a figure breaks the limit: bits, which budget.c defines. */
struct limit {
	unsigned broken;
	double value;
};

struct budget {
	const char *text; /* The text as it was given; not owned. */
	const struct budget_subject *subject;
	char name[64]; /* What stands before the point. */
	unsigned key;  /* With a group: the key of --by, BY_... 0: it is about all calls. */
	char *group;   /* The name of the group. NULL: there is none. */
	int figure;    /* The number of the subject's figure. */
	struct limit limit;
};

/* Units that no figure of a syscall has, beside enum figure_unit. */
enum { UNIT_SHARE = UNIT_BYTES + 1, UNIT_RATE, UNIT_RATIO };

/* A figure that may follow the point. */
struct subject_figure {
	const char *key; /* NULL: there is no such figure. */
	int unit;
	unsigned needs;	   /* What must be known: enum profile_unknown. */
	enum figure_id id; /* The figure of a syscall, unless the unit is UNIT_SHARE. */
	enum rate_id rate; /* The rate of that figure, if the unit is UNIT_RATE. */
};

enum known {
	KNOWN,
	NOT_MEASURED,
	AMONG_OTHERS, /* It is about a group, whose calls are among those of (other), or may be. */
	NO_GROUP,     /* No group is called so. The value is 0. */
	/* The figure has no value, like the mean of no calls: there is nothing to exceed. */
	NO_SUCH,
};

struct budget_subject {
	/* What stands before the point: this name, or one that is accepted. */
	const char *name;
	bool (*accepts)(const char *name);
	/* Its figures, one after the other. */
	struct subject_figure (*figure)(int i);
	/* NULL for the budgets of a comparison, which ratio_budget.c checks. */
	enum known (*value)(const struct budget *b, const struct result *r, double *value);
};

/* Those of a run, and of a comparison. The last has no figure(). */
extern const struct budget_subject budget_subjects[], ratio_subjects[];

/* The figure of a budget. */
struct subject_figure budget_figure(const struct budget *b);

/* Is it about calls, which groups (--by) have as well? */
bool budget_is_of_calls(const struct budget *b);

/* Returns what the run has to measure for the budget: enum profile_unknown. */
unsigned budget_needs(const struct budget *b);
/* The syscall that must be among those that are traced, "write@32". NULL: any. */
const char *budget_syscall(const struct budget *b);

/* Returns the key of --by that tells its calls apart, BY_... 0: it is about all calls. */
unsigned budget_key(const struct budget *b);
