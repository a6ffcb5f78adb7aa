/* SPDX-License-Identifier: GPL-2.0 */
/* The counts of one syscall. Plain data. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/iotrace.h"

struct errno_count {
	int err; /* A positive number, 1 to 4095. */
	uint64_t count;
};

/* One syscall of one ABI. Times are CLOCK_MONOTONIC ns between entry and exit. */
struct syscall_stats {
	enum iotrace_abi abi;
	int nr;
	char name[40];	/* The name as strace prints it; syscall_0x%x where there is no name. */
	bool transfers; /* Its result is a number of bytes: bytes and sizes mean something. */
	SYSCALL_FIGURES
	struct errno_count *errnos; /* In ascending order of err. Their counts add up to errors. */
	size_t nr_errnos;
};

/* Adds count failures with this errno to a list of errnos. Returns 0 or -ENOMEM. */
int errno_counts_add(struct errno_count **list, size_t *nr, int err, uint64_t count);
/* Subtracts the counts of before, and removes the errnos that are left with none. */
void errno_counts_subtract(struct errno_count *list, size_t *nr, const struct errno_count *before,
			   size_t nr_before);

/*
 * Adds count failures with this errno to a row's errnos (not to its errors). Returns 0 or -ENOMEM.
 */
int syscall_stats_add_errno(struct syscall_stats *s, int err, uint64_t count);

/*
 * Adds one returned call: its result, its latency if it was timed, bytes and size, but not waits.
 * Returns 0, or -ENOMEM if its errno is lost.
 */
int syscall_stats_add_call(struct syscall_stats *s, int64_t result, bool timed, uint64_t ns);

/*
 * Subtracts what was counted up to a moment before. Minimum and maximum of the difference are those
 * of the edges of its buckets, kept within s's.
 */
void syscall_stats_subtract(struct syscall_stats *s, const struct syscall_stats *before);

/*
 * Makes a row of the timed calls that slept, or of those that did not, with calls and latency
 * alone. Its minimum and maximum are those of the edges of its buckets, kept within s's.
 */
void syscall_stats_part(struct syscall_stats *part, const struct syscall_stats *s, bool slept);
