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

#define MAX_SIDES 26 /* Sides are named A to Z. */

/* A difference is beyond the noise if chance alone would make it in fewer of 100 comparisons. */
#define SIGNIFICANCE 0.01

struct spread {
	/* Number of runs that have the figure. 0: it is not known, or one of no calls. */
	size_t nr;
	double mean, min, max;
	double deviation; /* Standard deviation of the sample. 0 also of a single run. */
};

/* The spread of these samples. */
struct spread spread_of(const double *samples, size_t nr);

enum difference_kind {
	DIFFERENCE_NONE,     /* There is nothing to compare with: it is the first side itself. */
	DIFFERENCE_UNTESTED, /* A side has a single run, or the figure is not known. */
	EXACTLY_EQUAL,	     /* The figure is the same in all runs of both sides. */
	EXACTLY_DIFFERENT,   /* The figure does not vary on either side. */
	WITHIN_NOISE,
	BEYOND_NOISE,
	NR_DIFFERENCES,
};

/* Returns "beyond noise" and the like, for people and as a key. */
const char *difference_name(enum difference_kind kind);

struct difference {
	enum difference_kind kind;
	/* Ratio of the means. INFINITY: of something to nothing. NAN: there is none. */
	double ratio;
	double p; /* Probability that chance alone makes the difference. NAN: it was not tested. */
};

/*
 * Compares a side's spread with the first side's, by Welch's t-test: it compares means, which the
 * reports show, and does not assume that both sides vary alike, which a slow and a fast program do
 * not (B. L. Welch, Biometrika 34, 1947).
 */
struct difference difference_of(const struct spread *first, const struct spread *other);

/* The figures that are compared, of each syscall and of all of them together. */
enum compared_figure {
	COMPARED_CALLS,
	COMPARED_BYTES,
	COMPARED_ERRORS,
	COMPARED_TIME,
	COMPARED_P50,
	COMPARED_P99,
	NR_COMPARED,
};
extern const enum figure_id compared_figures[NR_COMPARED];

struct compared {
	struct spread spread;
	struct difference difference;
};

/* A syscall that any of the runs has made. */
struct comparison_row {
	enum iotrace_abi abi;
	int nr;
	char name[40];	/* Name of the syscall, or "total" of all of them. */
	bool transfers; /* The syscall has bytes. */
	struct compared cells[NR_COMPARED][MAX_SIDES];
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
	struct compared bare[MAX_SIDES], traced[MAX_SIDES]; /* Wall time in ns. */
};

/* A new side, with a copy of the name. NULL without memory, or if there are MAX_SIDES. */
struct side *comparison_add_side(struct comparison *c, const char *name);
/* These return 0 or -ENOMEM. */
int side_rename(struct side *side, const char *name);
int side_add_run(struct side *side, const struct profile *run);
int side_add_bare(struct side *side, uint64_t ns, int status);

/* Computes the rows, the wall times and the failures. Returns 0 or -ENOMEM. */
int comparison_make(struct comparison *c);

void comparison_free(struct comparison *c);

/* Was each side run without iotrace, too? Otherwise only the traced runs can be compared. */
bool comparison_has_bare(const struct comparison *c);
/* Returns the wall times to compare: bare, or else traced. */
const struct compared *comparison_walls(const struct comparison *c);

bool row_is_total(const struct comparison_row *row);

static inline char side_letter(size_t i)
{
	return (char)('A' + i);
}
