/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An interval in one row, for people: what happened a second, the costliest file, and what is new
 * among the findings. Terminals and documents have the same columns.
 */
#pragma once

#include "model/interval.h"

enum interval_column {
	INTERVAL_TIME, /* Of its end, from the start of the run. */
	INTERVAL_CALLS,
	INTERVAL_ERRORS,
	INTERVAL_BYTES,
	INTERVAL_BUSY, /* Time in calls that waited for no other, of all tasks, by the time. */
	INTERVAL_P99,  /* Of the calls that did not sleep. */
	INTERVAL_FILE, /* With its share of the busy time; of the calls where there are no times. */
	INTERVAL_NEWS, /* The findings that no interval before has. */
	NR_INTERVAL_COLUMNS,
};

extern const char *const interval_headings[NR_INTERVAL_COLUMNS];

struct interval_cells {
	/* Escaped texts, owned. NULL: it is not known, or there is no such thing. */
	char *texts[NR_INTERVAL_COLUMNS];
	char *path;    /* The costliest file, escaped, owned. NULL: there is none. */
	char share[8]; /* Its share, such as "83 %". */
};

/*
 * The findings of the intervals so far, each on each file; after INTERVAL_FINDINGS a known finding
 * on another file is no news. A zeroed one has none.
 */
struct seen_findings {
	struct interval seen; /* It has nothing else. */
};

/* Makes the cells, and notes the findings. 0 or -ENOMEM; free the cells in either case. */
int interval_cells_make(struct interval_cells *c, const struct interval *i,
			struct seen_findings *seen);
void interval_cells_free(struct interval_cells *c);
void seen_findings_free(struct seen_findings *seen);
