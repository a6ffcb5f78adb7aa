/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An interval of a run (--interval): what happened in it, as far as that is kept. All system calls
 * are, but only the files and groups that took most of the busy time; the others are (other)'s, so
 * that the sums hold. Who used a file is not known, nor where in the code its calls come from.
 */
#pragma once

#include "model/findings.h"
#include "model/result.h"

/* The most files and groups that an interval keeps by themselves. */
#define INTERVAL_FILES	10
#define INTERVAL_GROUPS 10

/* The same of findings. There are more of them only where intervals are added up. */
#define INTERVAL_FINDINGS 200

/* A finding of an interval. */
struct interval_finding {
	const char *id; /* As in struct finding. */
	enum severity severity;
	char *path; /* NULL: it is about no file. */
	uint64_t calls;
};

struct interval {
	uint64_t end_ns;		   /* Time from the start of the run to its end. */
	struct profile profile;		   /* Its elapsed_ns is the length of the interval. */
	struct interval_finding *findings; /* As text reports show them, the most severe first. */
	size_t nr_findings;
};

/*
 * Makes an interval from the result of its profile. 0 or -ENOMEM; interval_free() it in either
 * case. A zeroed one is empty.
 */
int interval_of_result(struct interval *i, const struct result *r, uint64_t end_ns);
void interval_free(struct interval *i);

/* Makes a deep copy. 0 or -ENOMEM; interval_free() it in either case. */
int interval_copy(struct interval *dst, const struct interval *src);

/* Adds the interval that follows, which is of the same run. 0 or -ENOMEM. */
int interval_merge(struct interval *i, const struct interval *next);

/* Keeps no more files and groups than an interval has. 0 or -ENOMEM. */
int interval_trim(struct interval *i);

/* Adds a finding, unless it is there, or there is no room. 0 or -ENOMEM. */
int interval_add_finding(struct interval *i, const struct interval_finding *f);
