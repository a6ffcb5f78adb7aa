/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the runs of several sides: two programs, or one before and after a change. For each
 * figure it tells how the figure is spread over each side's runs, its ratio to the first side's,
 * and whether the difference exceeds the noise. Plain data and pure functions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/figures.h"
#include "model/profile.h"
#include "model/sites.h"
#include "model/spread.h"

#define MAX_SIDES 26 /* Sides are named A to Z. */

/* A syscall that any of the runs has made. */
struct comparison_row {
	enum iotrace_abi abi;
	int nr;
	char name[40];	/* Name of the syscall, or "total" of all of them. */
	bool transfers; /* The syscall has bytes. */
	struct compared cells[NR_COMPARED][MAX_SIDES];
};

/* A place in the code that calls of any of the runs come from: the same functions, on all sides. */
struct compared_site {
	enum iotrace_abi abi;
	char syscall[40];
	const struct stacks *stacks; /* Those of the first run that has it; not owned. */
	struct site_group group;     /* Its frames, of these stacks; its figures are not set. */
	unsigned line;		     /* Of the nearest frame. 0: not known, or there are several. */
	struct compared cells[MAX_SIDES]; /* Its calls, estimated from samples. */
};

/* Who makes calls in any of the runs (--by): all groups that have a name. */
struct compared_group {
	char *names[MAX_GROUP_KEYS]; /* By each key. NULL after the last. Untrusted bytes. */
	bool other;		     /* It is what found no room, GROUP_OTHER. */
	struct compared *cells;	     /* See compared_group_cells(). */
};

/* A run without iotrace. */
struct bare_run {
	uint64_t ns; /* Wall time. */
	int status;  /* Wait status. -1: not known. */
};

/* The runs of a side that failed in one way. */
struct failure {
	int status; /* Wait status, which tells of a failure. */
	size_t nr_runs, nr_bare;
};

/* A program, or a capture of one. */
struct side {
	char *name;		     /* The command, or the path of the capture; untrusted. */
	const struct profile **runs; /* The traced runs, whose profiles are not owned. */
	size_t nr_runs;
	struct bare_run *bare; /* The runs without iotrace. */
	size_t nr_bare;
	/* Made by comparison_make(), in the order in which they came. */
	struct failure *failures;
	size_t nr_failures;
};

struct comparison {
	struct side *sides;
	size_t nr_sides;
	/* Made by comparison_make(): the last row is the total. */
	struct comparison_row *rows;
	size_t nr_rows;
	/* Those whose calls changed most come first. None: some of the runs have no samples. */
	struct compared_site *sites;
	size_t nr_sites;
	/* Who makes the calls, with most time first. None: some of the runs do not say so. */
	unsigned by[MAX_GROUP_KEYS]; /* The keys. */
	struct compared_group *groups;
	size_t nr_groups;
	bool keys_differ; /* The runs have other groups (--by), which are not compared. */
	struct compared bare[MAX_SIDES], traced[MAX_SIDES]; /* Wall time in ns. */
};

/* A new side, with a copy of the name. NULL without memory, or if there are MAX_SIDES. */
struct side *comparison_add_side(struct comparison *c, const char *name);
/* These return 0 or -ENOMEM. */
int side_rename(struct side *side, const char *name);
int side_add_run(struct side *side, const struct profile *run);
int side_add_bare(struct side *side, uint64_t ns, int status);

/* Computes the rows, the sites, the wall times and the failures. Returns 0 or -ENOMEM. */
int comparison_make(struct comparison *c);

void comparison_free(struct comparison *c);

/* Was each side run without iotrace, too? Otherwise only the traced runs can be compared. */
bool comparison_has_bare(const struct comparison *c);
/* Returns the wall times to compare: bare, or else traced. */
const struct compared *comparison_walls(const struct comparison *c);

/* For compare.c: makes the sites. Returns 0 or -ENOMEM. */
int compared_sites_make(struct comparison *c);
/* By how many calls any side differs from the first. */
double compared_site_change(const struct compared_site *site, size_t nr_sides);

/* For compare.c: makes the groups, and frees them. Returns 0 or -ENOMEM. */
int compared_groups_make(struct comparison *c);
void compared_groups_free(struct comparison *c);
/* Returns a figure of a group, by side. */
const struct compared *compared_group_cells(const struct comparison *c,
					    const struct compared_group *g, enum compared_figure f);

bool row_is_total(const struct comparison_row *row);

static inline char side_letter(size_t i)
{
	return (char)('A' + i);
}
