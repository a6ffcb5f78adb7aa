/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells the tasks of the traced processes from those of their children, where these are left out:
 * strace follows both or neither. For parse.c alone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "trace/strace/tasks.h"

#define NR_BIRTHS 256

struct strace_members {
	bool all;			/* children are not left out: every task belongs */
	pid_t (*process_of)(pid_t tid); /* of a living task, otherwise 0; NULL: nobody knows */
	pid_t *processes;
	size_t nr;
	/* The last tasks whose creation has returned; their own lines may come later. */
	struct strace_birth {
		pid_t tid;
		enum strace_membership membership;
	} births[NR_BIRTHS];
	unsigned nr_births;
};

/* Adds a process that is traced for itself. 0 or -ENOMEM. */
int strace_members_add(struct strace_members *m, pid_t process);

/* Notes that a call of the parent's has made a task: a thread of it, or a child. */
void strace_members_born(struct strace_members *m, pid_t tid, const struct strace_task *parent);

/*
 * Does a task belong, of which there was no line yet? The table has the tasks that may have made
 * it, those in the same log.
 */
enum strace_membership strace_members_find(const struct strace_members *m,
					   const struct strace_tasks *tasks, pid_t tid, int log);

void strace_members_free(struct strace_members *m);
