/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells the tasks of the traced processes from those of their children, where these are left out:
 * strace follows both or neither. For parse.c alone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "trace/strace/parse.h"
#include "trace/strace/tasks.h"

struct strace_members {
	bool all; /* children are not left out: every task belongs */
	const struct strace_proc *proc;
	pid_t *processes;
	size_t nr;
};

/* Adds a process that is traced for itself. 0 or -ENOMEM. */
int strace_members_add(struct strace_members *m, pid_t process);

/* Does a task belong, of which there was no line yet? born: as its creation says. */
enum strace_membership strace_members_find(const struct strace_members *m, pid_t tid,
					   enum strace_membership born);

void strace_members_free(struct strace_members *m);
