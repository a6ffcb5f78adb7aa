// SPDX-License-Identifier: GPL-2.0
#include "lib/catch.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "bpf/iotrace.h"
extern "C" {
#include "model/histogram.h"
}

TEST_CASE("histogram: log2 agrees with the compiler's", "[histogram]")
{
	std::mt19937_64 random(1);

	for (int log = 0; log < 64; log++) {
		uint64_t power = 1ULL << log;

		REQUIRE(iotrace_log2(power) == (uint32_t)log);
		REQUIRE(iotrace_log2(power | (power - 1)) == (uint32_t)log);
	}
	for (int i = 0; i < 20000; i++) {
		uint64_t v = random() >> (random() % 64);

		if (v)
			REQUIRE(iotrace_log2(v) == 63 - (uint32_t)__builtin_clzll(v));
	}
}

TEST_CASE("histogram: latency buckets lie side by side from 0 up", "[histogram]")
{
	REQUIRE(latency_bucket_low(0) == 0);
	for (uint32_t b = 0; b < LATENCY_BUCKETS; b++) {
		uint64_t low = latency_bucket_low(b);

		REQUIRE(latency_bucket(low) == b);
		if (b)
			REQUIRE(latency_bucket(low - 1) == b - 1);
	}
}

TEST_CASE("histogram: no latency bucket is wider than an eighth of its lower edge", "[histogram]")
{
	for (uint32_t b = LATENCY_SUB; b < LATENCY_BUCKETS - 1; b++) {
		uint64_t low = latency_bucket_low(b);

		REQUIRE((latency_bucket_low(b + 1) - low) * 8 <= low);
	}
}

TEST_CASE("histogram: the last latency bucket has no end", "[histogram]")
{
	REQUIRE(latency_bucket_low(LATENCY_BUCKETS - 1) == 1ULL << 40);
	REQUIRE(latency_bucket((1ULL << 40) - 1) == LATENCY_BUCKETS - 2);
	REQUIRE(latency_bucket(1ULL << 40) == LATENCY_BUCKETS - 1);
	REQUIRE(latency_bucket(UINT64_MAX) == LATENCY_BUCKETS - 1);
	REQUIRE(latency_bucket_low(UINT32_MAX) == 1ULL << 40);
}

TEST_CASE("histogram: any latency is in the bucket whose edges enclose it", "[histogram]")
{
	std::mt19937_64 random(2);

	for (int i = 0; i < 20000; i++) {
		uint64_t ns = random() >> (random() % 64);
		uint32_t b = latency_bucket(ns);

		REQUIRE(b < LATENCY_BUCKETS);
		REQUIRE(latency_bucket_low(b) <= ns);
		if (b < LATENCY_BUCKETS - 1)
			REQUIRE(ns < latency_bucket_low(b + 1));
	}
}

TEST_CASE("histogram: size buckets are powers of two", "[histogram]")
{
	REQUIRE(size_bucket(0) == 0);
	REQUIRE(size_bucket(1) == 1);
	REQUIRE(size_bucket(2) == 2);
	REQUIRE(size_bucket(3) == 2);
	REQUIRE(size_bucket(4096) == 13);
	REQUIRE(size_bucket((1ULL << 31) - 1) == SIZE_BUCKETS - 2);
	REQUIRE(size_bucket(1ULL << 31) == SIZE_BUCKETS - 1);
	REQUIRE(size_bucket(UINT64_MAX) == SIZE_BUCKETS - 1);
	for (uint32_t b = 0; b < SIZE_BUCKETS; b++) {
		REQUIRE(size_bucket(size_bucket_low(b)) == b);
		if (b)
			REQUIRE(size_bucket(size_bucket_low(b) - 1) == b - 1);
	}
	REQUIRE(size_bucket_low(UINT32_MAX) == 1ULL << 31);
}

TEST_CASE("histogram: the scales are those of the contract", "[histogram]")
{
	REQUIRE(latency_scale.nr_buckets == LATENCY_BUCKETS);
	REQUIRE(size_scale.nr_buckets == SIZE_BUCKETS);
	REQUIRE(latency_scale.low(100) == latency_bucket_low(100));
	REQUIRE(size_scale.low(20) == size_bucket_low(20));
}

TEST_CASE("histogram: merging adds bucket by bucket", "[histogram]")
{
	uint64_t a[4] = { 1, 2, 3, 4 };
	const uint64_t b[4] = { 10, 0, 30, UINT64_MAX >> 1 };

	histogram_merge(a, b, 4);
	REQUIRE(a[0] == 11);
	REQUIRE(a[1] == 2);
	REQUIRE(a[2] == 33);
	REQUIRE(a[3] == 4 + (UINT64_MAX >> 1));
	REQUIRE(histogram_total(b, 3) == 40);
	REQUIRE(histogram_total(b, 0) == 0);
}

namespace
{
// A latency histogram, and the values that are in it.
struct Samples {
	std::vector<uint64_t> values;
	uint64_t counts[LATENCY_BUCKETS] = {};

	void add(uint64_t ns)
	{
		values.push_back(ns);
		counts[latency_bucket(ns)]++;
	}

	// Shares are in 1/1000, so that the test computes the rank in integers.
	void check(unsigned permille)
	{
		std::sort(values.begin(), values.end());
		uint64_t rank = (values.size() * permille + 999) / 1000;
		uint64_t exact = values[rank - 1];
		uint32_t bucket = latency_bucket(exact);
		uint64_t width = bucket < LATENCY_BUCKETS - 1 ? latency_bucket_low(bucket + 1) -
									latency_bucket_low(bucket)
							      : values.back() - values.front();
		uint64_t got = histogram_percentile(&latency_scale, counts, permille / 1000.0,
						    values.front(), values.back());

		CAPTURE(permille, values.size(), exact, got, width);
		REQUIRE(latency_bucket(got) == bucket);
		REQUIRE((got > exact ? got - exact : exact - got) <= width / 2);
		REQUIRE(got >= values.front());
		REQUIRE(got <= values.back());
	}

	void check_all()
	{
		for (unsigned permille : { 1u, 7u, 10u, 70u, 100u, 250u, 290u, 500u, 570u, 900u,
					   950u, 990u, 999u, 1000u })
			check(permille);
	}
};
} // namespace

TEST_CASE("histogram: percentiles are within half a bucket of the exact ones", "[histogram]")
{
	std::mt19937_64 random(3);

	for (int round = 0; round < 300; round++) {
		Samples s;
		size_t nr = 1 + random() % (round % 10 ? 300 : 20000);
		int shift = (int)(random() % 40);

		for (size_t i = 0; i < nr; i++) {
			switch (round % 4) {
			case 0: // Values over many octaves.
				s.add(random() >> (20 + random() % 44));
				break;
			case 1: // Values close together.
				s.add((1ULL << shift) + random() % (1 + (1ULL << shift) / 4));
				break;
			case 2: // Equal values.
				s.add(12345ULL << (shift / 2));
				break;
			default: // Two peaks, far apart.
				s.add(random() % 50 ? 600 + random() % 100
						    : 1000000 + random() % 1000000);
			}
		}
		s.check_all();
	}
}

TEST_CASE("histogram: ranks are not pushed up by binary fractions", "[histogram]")
{
	for (size_t nr : { 1, 2, 3, 10, 100, 1000, 10000, 100000 }) {
		Samples s;

		// Small values have buckets of their own, so the rank is exact.
		for (size_t i = 0; i < nr; i++)
			s.add(i * 16 / nr);
		s.check_all();
	}
}

TEST_CASE("histogram: percentiles of an empty histogram, and at its ends", "[histogram]")
{
	uint64_t counts[LATENCY_BUCKETS] = {};

	REQUIRE(histogram_percentile(&latency_scale, counts, 0.5, 0, 0) == 0);
	REQUIRE(histogram_percentile(&latency_scale, counts, 0.5, 7, 9) == 0);
	counts[latency_bucket(1000)] = 1;
	REQUIRE(histogram_percentile(&latency_scale, counts, 0.5, 1000, 1000) == 1000);
	REQUIRE(histogram_percentile(&latency_scale, counts, 1e-300, 1000, 1000) == 1000);
	REQUIRE(histogram_percentile(&latency_scale, counts, 1, 1000, 1000) == 1000);
	// Beyond the last edge, it is between that edge and the maximum.
	counts[LATENCY_BUCKETS - 1] = 2;
	REQUIRE(histogram_percentile(&latency_scale, counts, 0.6, 1000, (1ULL << 40) + 1000) ==
		(1ULL << 40) + 500);
	REQUIRE(histogram_percentile(&latency_scale, counts, 1, 1000, (1ULL << 40) + 1000) ==
		(1ULL << 40) + 1000);
	// These are more values than a double can count.
	counts[latency_bucket(1000)] = UINT64_MAX - 2;
	REQUIRE(histogram_percentile(&latency_scale, counts, 1, 1000, 1ULL << 41) == 1ULL << 41);
}

TEST_CASE("histogram: the first and the last value are the extremes, if those are in the histogram",
	  "[histogram]")
{
	uint64_t counts[LATENCY_BUCKETS] = {};

	counts[latency_bucket(1024)] = 3;
	REQUIRE(histogram_percentile(&latency_scale, counts, 0.1, 1030, 1100) == 1030);
	REQUIRE(histogram_percentile(&latency_scale, counts, 0.5, 1030, 1100) == 1088);
	REQUIRE(histogram_percentile(&latency_scale, counts, 0.9, 1030, 1100) == 1100);
	// These are the extremes of other values than this histogram holds.
	REQUIRE(histogram_percentile(&latency_scale, counts, 0.1, 0, UINT64_MAX) == 1088);
	REQUIRE(histogram_percentile(&latency_scale, counts, 0.9, 0, UINT64_MAX) == 1088);
}
