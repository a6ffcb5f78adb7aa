/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is read out of a histogram's counts. Counts are plain arrays: uint64_t[LATENCY_BUCKETS] or
 * uint64_t[SIZE_BUCKETS]; which value falls into which bucket is bpf/iotrace.h's business.
 */
#ifndef IOTRACE_HISTOGRAM_H
#define IOTRACE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One kind of histogram: how many buckets, and the lowest value of each. */
struct histogram_scale {
	uint32_t nr_buckets;
	uint64_t (*low)(uint32_t bucket);
};

extern const struct histogram_scale latency_scale; /* ns */
extern const struct histogram_scale size_scale;	   /* bytes */

/* Adds src to dst, bucket by bucket. */
void histogram_merge(uint64_t *dst, const uint64_t *src, uint32_t nr_buckets);

/* The number of values in all buckets. */
uint64_t histogram_total(const uint64_t *counts, uint32_t nr_buckets);

/*
 * The value below or at which a share of the values lies (0 < share <= 1, e.g. 0.99), taken as the
 * middle of the bucket that holds the ceil(share * total)-th smallest value and kept within [min, max],
 * the true extremes: off by no more than half that bucket's width. The first and the last value are the
 * extremes themselves. 0 if the histogram is empty.
 */
uint64_t histogram_percentile(const struct histogram_scale *scale, const uint64_t *counts,
			      double share, uint64_t min, uint64_t max);

#ifdef __cplusplus
}
#endif
#endif
