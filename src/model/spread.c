// SPDX-License-Identifier: GPL-2.0
#include "model/spread.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

const char *difference_name(enum difference_kind kind)
{
	static const char *const names[NR_DIFFERENCES] = {
		[DIFFERENCE_NONE] = "",
		[DIFFERENCE_UNTESTED] = "not tested",
		[EXACTLY_EQUAL] = "exactly equal",
		[EXACTLY_DIFFERENT] = "exactly different",
		[WITHIN_NOISE] = "within noise",
		[BEYOND_NOISE] = "beyond noise",
	};

	return names[kind];
}

struct spread spread_of(const double *samples, size_t nr)
{
	struct spread s = { .nr = nr };

	if (!nr)
		return s;
	gsl_stats_minmax(&s.min, &s.max, samples, 1, nr);
	s.mean = s.min == s.max ? s.min : gsl_stats_mean(samples, 1, nr);
	if (nr > 1 && s.min != s.max)
		s.deviation = gsl_stats_sd_m(samples, 1, nr, s.mean);
	return s;
}

/* The variance of a side's mean. */
static double variance_of_mean(const struct spread *s)
{
	return s->deviation * s->deviation / (double)s->nr;
}

/* Returns the probability that chance alone makes the means differ as much. */
static double welch(const struct spread *a, const struct spread *b)
{
	double va = variance_of_mean(a), vb = variance_of_mean(b), sum = va + vb;
	double t = (b->mean - a->mean) / sqrt(sum);
	double freedom =
		sum * sum / (va * va / (double)(a->nr - 1) + vb * vb / (double)(b->nr - 1));

	return 2 * gsl_cdf_tdist_Q(fabs(t), freedom);
}

struct difference difference_of(const struct spread *first, const struct spread *other)
{
	struct difference d = { DIFFERENCE_UNTESTED, NAN, NAN };

	if (first->nr && other->nr && (first->mean > 0 || other->mean > 0))
		d.ratio = first->mean > 0 ? other->mean / first->mean : INFINITY;
	if (first->nr < 2 || other->nr < 2)
		return d;
	if (first->deviation == 0 && other->deviation == 0) {
		d.kind = first->mean == other->mean ? EXACTLY_EQUAL : EXACTLY_DIFFERENT;
		return d;
	}
	d.p = welch(first, other);
	d.kind = d.p < SIGNIFICANCE ? BEYOND_NOISE : WITHIN_NOISE;
	return d;
}

void compared_from_first(struct compared *cells, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		cells[i].difference = difference_of(&cells[0].spread, &cells[i].spread);
	cells[0].difference = (struct difference){ DIFFERENCE_NONE, NAN, NAN };
}
