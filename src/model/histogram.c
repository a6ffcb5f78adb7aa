// SPDX-License-Identifier: GPL-2.0
#include "model/histogram.h"

#include <float.h>
#include <string.h>

const struct histogram_scale file_latency_scale = { FILE_LATENCY_BUCKETS, file_latency_bucket_low };
const struct histogram_scale latency_scale = { LATENCY_BUCKETS, latency_bucket_low };
const struct histogram_scale size_scale = { SIZE_BUCKETS, size_bucket_low };

void histogram_merge(uint64_t *dst, const uint64_t *src, uint32_t nr_buckets)
{
	for (uint32_t i = 0; i < nr_buckets; i++)
		dst[i] += src[i];
}

void histogram_extremes(const struct histogram_scale *scale, const uint64_t *counts, uint64_t *min,
			uint64_t *max)
{
	uint32_t first = 0, last = scale->nr_buckets - 1;
	uint64_t low, high;

	while (first < last && !counts[first])
		first++;
	while (last > first && !counts[last])
		last--;
	if (!counts[first]) {
		*min = *max = 0;
		return;
	}
	low = scale->low(first);
	high = last < scale->nr_buckets - 1 ? scale->low(last + 1) - 1 : *max;
	*min = low > *min ? low : *min;
	*max = high < *max ? high : *max;
}

uint64_t histogram_total(const uint64_t *counts, uint32_t nr_buckets)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < nr_buckets; i++)
		total += counts[i];
	return total;
}

/* Returns the rank, from 1 in ascending order, of the value that ends a share of total values. */
static uint64_t rank_of(double share, uint64_t total)
{
	double exact = share * (double)total;
	uint64_t rank;

	if (share >= 1)
		return total;
	/* 0.07 * 100 is a hair above 7 in binary, and must not become the 8th. */
	exact -= exact * 4 * DBL_EPSILON;
	rank = exact > 0 ? (uint64_t)exact : 0;
	if ((double)rank < exact || !rank)
		rank++;
	return rank < total ? rank : total;
}

uint64_t histogram_percentile(const struct histogram_scale *scale, const uint64_t *counts,
			      double share, uint64_t min, uint64_t max)
{
	uint64_t total = histogram_total(counts, scale->nr_buckets);
	uint64_t rank, seen = 0, low, high, middle;
	uint32_t bucket;

	if (!total)
		return 0;
	rank = rank_of(share, total);
	for (bucket = 0; bucket < scale->nr_buckets - 1; bucket++) {
		seen += counts[bucket];
		if (seen >= rank)
			break;
	}

	low = scale->low(bucket);
	high = bucket < scale->nr_buckets - 1 ? scale->low(bucket + 1) : UINT64_MAX;
	if (rank == total && max >= low && max < high)
		return max;
	if (rank == 1 && min >= low && min < high)
		return min;
	if (high == UINT64_MAX) /* The last bucket has no upper edge but the largest value. */
		high = max > low ? max : low;
	middle = low + (high - low) / 2;
	if (middle > max)
		middle = max;
	return middle < min ? min : middle;
}

void histogram_rows(struct histogram_rows *r, const struct histogram_scale *scale,
		    const uint64_t *counts, unsigned octaves)
{
	uint32_t last = scale->nr_buckets - 1;

	memset(r, 0, sizeof(*r));
	for (uint32_t i = 0; i <= last; i++) {
		uint64_t low = scale->low(i);
		unsigned log = low ? iotrace_log2(low) : 0;

		if (!low || i == last || (low == 1ULL << log && log % octaves == 0))
			r->low[r->nr++] = low;
		r->count[r->nr - 1] += counts[i];
	}
	for (size_t i = 0; i < r->nr; i++) {
		if (r->count[i] > r->largest)
			r->largest = r->count[i];
		if (r->count[i])
			r->end = i + 1;
	}
	while (r->first < r->end && !r->count[r->first])
		r->first++;
}
