/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What calls cost on this machine, with the probes and without them, as a process of iotrace's own
 * measures it after tracing. Findings are predicted from it. All times in picoseconds; 0: not
 * measured.
 */
#ifndef IOTRACE_CALIBRATION_H
#define IOTRACE_CALIBRATION_H

#include <stdbool.h>
#include <stdint.h>

struct calibrated_call {
	uint64_t bare_ps;   /* a call as its caller sees it, without the probes */
	uint64_t traced_ps; /* the same with them */
	uint64_t inside_ps; /* what the probes measure of it */
};

struct calibrated_copy {
	uint64_t bytes; /* of a write that fills new pages of a file in memory */
	uint64_t bare_ps;
};

#define CALIBRATED_COPIES 3

struct calibration {
	struct calibrated_call device; /* a write of one byte to the null device */
	struct calibrated_call memory; /* a write of 64 bytes into a page of a file in memory */
	struct calibrated_copy copies[CALIBRATED_COPIES]; /* ascending by bytes */
};

bool calibration_measured(const struct calibration *c);

/* What the probes add to a call: to the lightest that was measured, at least 1; 0 if none was. */
uint64_t calibration_overhead_ps(const struct calibration *c);

/* The sizes of the copies: the buffers that programs use. */
#define CALIBRATED_SIZES          \
	{                         \
		4096, 8192, 65536 \
	}
#endif
