/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the strace backend share, and nobody else uses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "trace/strace/command.h"
#include "trace/strace/path_filter.h"
#include "trace/strace/reader.h"
#include "trace/strace/threads.h"
#include "trace/trace_options.h"

/* A task to which strace attaches. That is done when its switches are more than these. */
struct strace_awaited {
	pid_t pid, tid;
	long switches;
};

struct strace_state {
	const struct trace_options *options;
	struct strace_tool tool;
	struct strace_run run;
	bool stacks;				 /* The logs have stacks. */
	struct strace_path_filter *filter_paths; /* The paths of -P. NULL: there are none. */
	struct strace_reader *reader;
	int log[2], err[2], result[2]; /* Pipes to a strace that starts the command. */
	ino_t log_pipe; /* Inode of the log's pipe, which that strace alone has open. */
	int launched;	/* pidfd of that strace, which is no child of ours. -1: none. */
	pid_t *tracers; /* Pids of those straces that are our children, and attach to tasks. */
	size_t nr_tracers;
	struct strace_awaited *awaited;
	size_t nr_awaited;
	size_t nr_missed; /* Number of tasks that could not be attached to in time. */
	int *ends;	  /* With --no-follow, pidfds of the processes of -p that are left. */
	size_t nr_ends;
	int wakeup_fd; /* epoll(7) descriptor of all that may end the tracing. */
	bool stopped;
};

/* ---- failure.c: what is said if strace cannot trace ---- */

/* Prints what strace said, if anything. Returns 1, for "failed, after a message". */
int strace_say_failed(struct strace_state *s, const char *what);

/* Writes what to do if strace is not permitted to trace; "" if it said something else. */
void strace_advise(char *buf, size_t size, const char *said);

/* ---- attached.c: strace attaches to running processes ---- */

/*
 * Attaches to all tasks of the processes, and to those and to children that begin meanwhile.
 * Returns 0, or -errno after a message; -ESRCH if there is none that could be attached to. The list
 * becomes that of the processes that are traced.
 */
int strace_attach(struct strace_state *s, struct ids *processes);

/* Makes each strace detach, and waits until its log has ended. */
void strace_detach(struct strace_state *s);

/* Waits for each strace. Returns whether all have ended by themselves. */
bool strace_reap(struct strace_state *s);
