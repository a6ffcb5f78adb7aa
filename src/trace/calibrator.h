/* SPDX-License-Identifier: GPL-2.0 */
/* A process of iotrace's own that makes calls and says how long they took. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

enum calibrator_call {
	CALIBRATOR_DEVICE, /* Writes of one byte to the null device. */
	CALIBRATOR_MEMORY, /* Writes of 64 bytes into a page of a file in memory. */
	CALIBRATOR_COPY,   /* Writes of more bytes into new pages of that file. */
	/* Processes that start a shell, and end. Only the ps are measured. */
	CALIBRATOR_PROCESS,
};

/* Number of slices in which the calls of an answer are timed. Before and after each, a loop is. */
#define CALIBRATOR_SLICES 10

/* The time of a call. */
struct call_time {
	uint64_t ps; /* Picoseconds of a call. 0: they could not be measured. */
	int err;     /* errno if they could not be measured. */
	/*
	 * For each slice, the time of a call in rounds of that loop, and the time of such a round,
	 * ps. The speed of a CPU changes all the time, that of a virtual one by a third; in rounds,
	 * a call takes the same.
	 */
	double rounds[CALIBRATOR_SLICES], round_ps[CALIBRATOR_SLICES];
};

struct calibrator {
	pid_t pid; /* Pid of the process. 0: none. */
	int socket;
	int memory; /* Descriptor of the file in memory. */
};

/* Starts the process. Returns 0 or -errno; call calibrator_end() in either case. */
int calibrator_start(struct calibrator *c);

/*
 * Lets it make some hundred calls, which takes less than 1 ms. bytes is the size of a copy, of
 * which only the ps are measured. Returns 0 or -errno.
 */
int calibrator_ask(struct calibrator *c, enum calibrator_call call, uint32_t bytes,
		   struct call_time *time);

void calibrator_end(struct calibrator *c);
