/* SPDX-License-Identifier: GPL-2.0 */
/* A process of iotrace's own that makes calls and says how long they took. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

enum calibrator_call {
	CALIBRATOR_DEVICE, /* writes one byte to the null device */
	CALIBRATOR_MEMORY, /* writes 64 bytes into a page of a file in memory */
	CALIBRATOR_COPY,   /* writes more bytes into new pages of that file */
};

/* So often the calls of an answer are timed; in between, a loop is. */
#define CALIBRATOR_SLICES 10

/* The time of a call. */
struct call_time {
	uint64_t ps; /* 0: it could not be measured */
	int err;     /* why, an errno */
	/*
	 * In rounds of that loop, and what such a round took, ps. The speed of a CPU changes all
	 * the time, that of a virtual one by a third; in rounds, a call takes the same.
	 */
	double rounds[CALIBRATOR_SLICES], round_ps[CALIBRATOR_SLICES];
};

struct calibrator {
	pid_t pid; /* 0: none */
	int socket;
	int memory; /* the file in memory */
};

/* Starts the process. 0 or -errno; calibrator_end() it in either case. */
int calibrator_start(struct calibrator *c);

/*
 * Lets it make some hundred calls, which takes less than 1 ms. bytes: of a copy, of which only the
 * ps are measured. 0 or -errno.
 */
int calibrator_ask(struct calibrator *c, enum calibrator_call call, uint32_t bytes,
		   struct call_time *time);

void calibrator_end(struct calibrator *c);
