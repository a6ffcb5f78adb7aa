/* SPDX-License-Identifier: GPL-2.0 */
/* The files of the strace backend share this. For them alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "trace/strace/command.h"
#include "trace/strace/path_filter.h"
#include "trace/strace/reader.h"
#include "trace/strace/threads.h"
#include "trace/trace_options.h"

/* A task that is being attached to, and has been when it was switched out more often than so. */
struct strace_awaited {
	pid_t pid, tid;
	long switches;
};

struct strace_state {
	const struct trace_options *options;
	struct strace_tool tool;
	struct strace_run run;
	struct strace_path_filter *filter_paths; /* NULL: there is no -P */
	struct strace_reader *reader;
	int log[2], err[2], result[2]; /* of a strace that starts the command */
	ino_t log_pipe;		       /* which that strace has open, and nobody else */
	int launched;		       /* a pidfd of it, as it is not our child; -1: none */
	pid_t *tracers;		       /* those that are our children, and attach to tasks */
	size_t nr_tracers;
	struct strace_awaited *awaited;
	size_t nr_awaited;
	size_t nr_missed; /* tasks that could not be attached to in time */
	int *ends;	  /* without children: pidfds of the processes of -p that are left */
	size_t nr_ends;
	int wakeup_fd; /* an epoll(7) descriptor of all that may end the tracing */
	bool stopped;
};

/* ---- failure.c: what is said if strace cannot trace ---- */

/* Prints what strace said, if anything. Returns 1, for "failed, after a message". */
int strace_say_failed(struct strace_state *s, const char *what);

/* Says what to do if strace is not permitted to trace; "" if it does not look like that. */
void strace_advise(char *buf, size_t size, const char *said);

/* ---- attached.c: strace attaches to running processes ---- */

/*
 * Attaches to all tasks of the processes, also to those, and to children, that begin in the
 * meantime. 0, or -errno after a message; -ESRCH if there is none that could be attached to. The
 * list becomes that of the processes that are traced.
 */
int strace_attach(struct strace_state *s, struct strace_ids *processes);

/* Makes each strace detach, and waits until its log has ended. */
void strace_detach(struct strace_state *s);

/* Waits for each strace. Returns whether all have ended by themselves. */
bool strace_reap(struct strace_state *s);
