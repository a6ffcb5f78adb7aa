/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluates histograms. Counts are plain arrays: uint64_t[LATENCY_BUCKETS] or
 * uint64_t[SIZE_BUCKETS]; bpf/iotrace.h defines the buckets.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "bpf/iotrace.h"

/* One kind of histogram: how many buckets, and the lowest value of each. */
struct histogram_scale {
	uint32_t nr_buckets;
	uint64_t (*low)(uint32_t bucket);
};

extern const struct histogram_scale latency_scale;	/* In ns. */
extern const struct histogram_scale file_latency_scale; /* In ns, by octaves. */
extern const struct histogram_scale size_scale;		/* In bytes. */

/* Adds src to dst, bucket by bucket. */
void histogram_merge(uint64_t *dst, const uint64_t *src, uint32_t nr_buckets);

/*
 * Takes the minimum and the maximum from the edges of the outermost buckets with values, kept
 * between *min and *max as they are. Both are 0 if there are no values.
 */
void histogram_extremes(const struct histogram_scale *scale, const uint64_t *counts, uint64_t *min,
			uint64_t *max);

/* The number of values in all buckets. */
uint64_t histogram_total(const uint64_t *counts, uint32_t nr_buckets);

/*
 * Returns the value below or at which a share of the values lies (0 < share <= 1, e.g. 0.99). It is
 * taken as the middle of the bucket that holds the ceil(share * total)-th smallest value and kept
 * within [min, max], the true extremes, so it is off by no more than half that bucket's width. The
 * first and the last value are the extremes themselves. 0: the histogram is empty.
 */
uint64_t histogram_percentile(const struct histogram_scale *scale, const uint64_t *counts,
			      double share, uint64_t min, uint64_t max);

/*
 * A histogram in rows, for people: row i counts the values from low[i] up to, but not including,
 * low[i + 1]; the last row has no upper edge. All values are in the rows from first to end - 1.
 */
struct histogram_rows {
	uint64_t low[LATENCY_MAX_LOG2 + 2], count[LATENCY_MAX_LOG2 + 2];
	size_t nr, first, end;
	uint64_t largest;
};

/* 0 and the scale's open end get rows of their own; between them a row spans that many octaves. */
void histogram_rows(struct histogram_rows *r, const struct histogram_scale *scale,
		    const uint64_t *counts, unsigned octaves);
