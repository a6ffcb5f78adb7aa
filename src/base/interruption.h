/* SPDX-License-Identifier: GPL-2.0 */
/*
 * While reports are written, SIGINT, SIGQUIT, SIGTERM and SIGHUP end the program, whatever it waits
 * for: a pipe that nobody reads, a disk, another program.
 */
#pragma once

#include <stdint.h>

#include "base/helper_thread.h"
#include "base/signals.h"

struct interruption {
	struct signals signals;
	uint64_t begin_ns;	     /* When it began, by CLOCK_MONOTONIC. */
	struct helper_thread thread; /* It ends when there is nothing to interrupt any more. */
	void (*give_up)(void *arg, int sig);
	void *arg;
};

/*
 * From now on such a signal calls give_up() in a thread of its own, after which the program dies of
 * the signal; in the first second this takes a second signal, or the rest of that second. What is
 * ignored stays so. A signal that came before, or that repeats one within a tenth of a second, as
 * timeout(1) sends it, is dropped. 0, or -errno: nothing has changed.
 */
int interruption_begin(struct interruption *i, void (*give_up)(void *arg, int sig), void *arg);

/* Call it after interruption_begin(), if that succeeded. */
void interruption_end(struct interruption *i);
