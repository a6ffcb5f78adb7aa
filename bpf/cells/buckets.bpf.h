/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The histograms' buckets of a call. Almost all sizes are small, and so are the latencies of calls
 * that a probe's cost matters to: a table has their buckets.
 */
#pragma once

#include "kernel/kernel.bpf.h"

const volatile u8 cfg_short[SHORT_BUCKETS] = {};
const volatile u8 cfg_bits[SMALL_BITS] = {};

__noinline u32 other_latency_bucket(u64 ns)
{
	return latency_bucket(ns);
}

__noinline u32 large_size_bucket(u64 bytes)
{
	return size_bucket(bytes);
}

/* The same value, which the verifier cannot relate to v: it follows one way only. */
static __always_inline u64 unrelated(u64 v)
{
	asm volatile("%0 ^= 0" : "+r"(v));
	return v;
}

/* Always below LATENCY_BUCKETS, which the verifier does not know. */
static __always_inline u32 latency_bucket_of(u64 ns)
{
	ns = unrelated(ns);
	return is_short_latency(ns) ? short_latency_bucket(cfg_short, ns)
				    : other_latency_bucket(ns);
}

/* Always below SIZE_BUCKETS, which the verifier does not know. */
static __always_inline u32 size_bucket_of(u64 bytes)
{
	bytes = unrelated(bytes);
	return bytes < SMALL_END ? small_size_bucket(cfg_bits, bytes) : large_size_bucket(bytes);
}
