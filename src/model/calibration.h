/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cost of calls on this machine with and without the probes. A process of iotrace's own
 * measures it after tracing, and predictions rest on it. All times in picoseconds; 0: not measured.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct calibrated_call {
	uint64_t bare_ps;   /* The caller's time for a call without the probes. */
	uint64_t traced_ps; /* The caller's time for a call with the probes. */
	uint64_t inside_ps; /* The part that the probes measure. */
};

struct calibrated_copy {
	uint64_t bytes; /* Bytes of a write that fills new pages of a file in memory. */
	uint64_t bare_ps;
};

#define CALIBRATED_COPIES 3

struct calibration {
	struct calibrated_call device; /* A write of one byte to the null device. */
	struct calibrated_call memory; /* A write of 64 bytes into a page of a file in memory. */
	struct calibrated_copy copies[CALIBRATED_COPIES]; /* In ascending order of bytes. */
	uint64_t process_ps; /* A process that starts a shell, and ends. */
	/* What the probes add to the lightest measured call; not in a capture. */
	uint64_t overhead_ps;
};

static inline bool calibrated(const struct calibrated_call *c)
{
	return c->bare_ps && c->inside_ps;
}

static inline bool calibration_measured(const struct calibration *c)
{
	return calibrated(&c->memory);
}
