/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the tasks of strace's log come from, as the calls say that make tasks, and as /proc says.
 * For parse.c alone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "trace/strace/format.h"
#include "trace/strace/tasks.h"

#define NR_CLONES 256

/* A new task. */
struct strace_clone {
	pid_t tid;
	pid_t maker; /* Process that made it. 0: it is not known. */
	enum strace_membership membership;
	struct strace_who who; /* The program that it begins as. */
};

/* The last tasks whose creation has returned; their own lines may come later. */
struct strace_clones {
	struct strace_clone last[NR_CLONES];
	unsigned nr;
};

/* Notes that a call of the parent's has made a task: a thread of it, or a child. */
void strace_clones_note(struct strace_clones *b, pid_t tid, const struct strace_task *parent);

/*
 * Says what a task is of which no line has come yet. The table has the tasks of its log that may
 * have made it. What cannot be known stays unknown. The caller frees the executable.
 */
struct strace_clone strace_clones_find(const struct strace_clones *b, struct strace_tasks *tasks,
				       pid_t tid, int log, const struct strace_proc *proc);

/* Finds in /proc the program that a living task runs. */
void strace_clones_look_up(struct strace_who *who, pid_t tid, const struct strace_proc *proc);

/*
 * Notes that the task executes a program, as the line says that ends the call. The program is named
 * after the last part of its path, that of a script after the script. One that is executed by a
 * descriptor alone has the name that /proc gives.
 */
void strace_clones_execute(struct strace_task *task, const struct strace_line *l,
			   const struct strace_proc *proc);

void strace_clones_free(struct strace_clones *b);
