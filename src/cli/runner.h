/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work in a process of its own: tracing drops rights that the next run needs again, and what goes
 * wrong in one run does not take the others along.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "base/signals.h"

struct runner {
	struct signals signals; /* Signals that the runner has taken over. */
	int signal;		/* The last signal that came. 0: none. */
};

/* The end of some work. */
struct outcome {
	int status; /* Its wait status. */
	char *text; /* What it wrote, to be freed. */
	size_t len;
};

/* Takes the signals over. 0 or -errno; call runner_end() in either case. */
int runner_begin(struct runner *r);

/*
 * Runs work(arg, out) in a child, which ends with the exit status that it returns. Signals that do
 * not come from the terminal, which sends them to all, are passed on to the child. 0 or -errno.
 */
int runner_run(struct runner *r, int (*work)(void *arg, FILE *out), void *arg,
	       struct outcome *outcome);

void runner_end(struct runner *r);
