/* SPDX-License-Identifier: GPL-2.0 */
/* How a figure is spread over runs, and whether two sides differ by more than the noise. */
#pragma once

#include <stddef.h>

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

struct compared {
	struct spread spread;
	struct difference difference;
};

/* Fills in the differences of all sides from the first. */
void compared_from_first(struct compared *cells, size_t nr);
