/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include <stdint.h>
#include <time.h>

/* Reads CLOCK_MONOTONIC, which is the clock of the probes (bpf_ktime_get_ns()). */
static inline uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
