/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between the probes and user space: limits, the values of the maps, and the arithmetic
 * of the histograms, which is the same code on both sides.
 */
#ifndef IOTRACE_CONTRACT_H
#define IOTRACE_CONTRACT_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

/*
 * Latency histogram, log-linear: LATENCY_SUB buckets to each power of two, so that no bucket from
 * LATENCY_SUB on is wider than 1/8 of its lower edge. 0..15 ns have a bucket each; the last bucket
 * holds everything from 2^LATENCY_MAX_LOG2 ns (1099 s) up.
 */
#define LATENCY_SUB_LOG2 3
#define LATENCY_SUB      (1 << LATENCY_SUB_LOG2)
#define LATENCY_MAX_LOG2 40
#define LATENCY_BUCKETS  ((LATENCY_MAX_LOG2 - LATENCY_SUB_LOG2 + 1) * LATENCY_SUB + 1)

/* Size histogram, powers of two: bucket 0 is 0 bytes, bucket k is [2^(k-1), 2^k), the last from 2 GiB up. */
#define SIZE_BUCKETS 33

/* floor(log2(v)) of a v > 0, without a loop: BPF has no count-leading-zeros instruction. */
static inline __u32 iotrace_log2(__u64 v)
{
	__u32 log = 0, step;

	step = (v > 0xffffffffULL) << 5;
	v >>= step;
	log |= step;
	step = (v > 0xffff) << 4;
	v >>= step;
	log |= step;
	step = (v > 0xff) << 3;
	v >>= step;
	log |= step;
	step = (v > 0xf) << 2;
	v >>= step;
	log |= step;
	step = (v > 0x3) << 1;
	v >>= step;
	log |= step;
	return log | (__u32)(v >> 1);
}

/* The bucket of a latency; always below LATENCY_BUCKETS. */
static inline __u32 latency_bucket(__u64 ns)
{
	__u32 log;

	if (ns < 2 * LATENCY_SUB)
		return (__u32)ns;
	if (ns >> LATENCY_MAX_LOG2)
		return LATENCY_BUCKETS - 1;
	log = iotrace_log2(ns) - LATENCY_SUB_LOG2;
	return log * LATENCY_SUB + (__u32)(ns >> log);
}

/* The lowest latency of a bucket, ns; of LATENCY_BUCKETS - 1 and above, 2^LATENCY_MAX_LOG2. */
static inline __u64 latency_bucket_low(__u32 bucket)
{
	__u32 log;

	if (bucket < 2 * LATENCY_SUB)
		return bucket;
	if (bucket >= LATENCY_BUCKETS - 1)
		return 1ULL << LATENCY_MAX_LOG2;
	log = bucket / LATENCY_SUB - 1;
	return (__u64)(LATENCY_SUB + bucket % LATENCY_SUB) << log;
}

/* The bucket of a transfer size; always below SIZE_BUCKETS. */
static inline __u32 size_bucket(__u64 bytes)
{
	if (bytes == 0)
		return 0;
	if (bytes >> 31)
		return SIZE_BUCKETS - 1;
	return iotrace_log2(bytes) + 1;
}

/* The lowest size of a bucket, bytes. */
static inline __u64 size_bucket_low(__u32 bucket)
{
	if (bucket == 0)
		return 0;
	return 1ULL << ((bucket < SIZE_BUCKETS ? bucket : SIZE_BUCKETS - 1) - 1);
}

/* How a call came into the kernel. strace calls them personalities and prints a table for each. */
enum iotrace_abi {
	ABI_64,	 /* the native 64-bit entry */
	ABI_32,	 /* ia32 compat: int 0x80, sysenter or 32-bit syscall, also from a 64-bit program */
	ABI_X32, /* 64-bit entry with __X32_SYSCALL_BIT */
	NR_ABIS,
};

/* Syscall numbers from 0 up to here are known to the probes; the kernel's tables end below it. */
#define MAX_SYSCALL_NR 512

#endif
