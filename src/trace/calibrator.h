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

struct calibrator {
	pid_t pid; /* 0: none */
	int socket;
	int memory; /* the file in memory */
};

/* Starts the process. 0 or -errno; calibrator_end() it in either case. */
int calibrator_start(struct calibrator *c);

/*
 * Lets it make some hundred calls, which takes less than 1 ms. *ps: the time of one, in
 * picoseconds. bytes: of a copy. 0 or -errno.
 */
int calibrator_ask(struct calibrator *c, enum calibrator_call call, uint32_t bytes, uint64_t *ps);

void calibrator_end(struct calibrator *c);
