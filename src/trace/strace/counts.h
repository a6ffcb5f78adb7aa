/* SPDX-License-Identifier: GPL-2.0 */
/* Counts the calls of strace's log by syscall, file, program, group and stack, for parse.c. */
#pragma once

#include "model/profile.h"
#include "trace/strace/files.h"
#include "trace/strace/format.h"
#include "trace/strace/groups.h"
#include "trace/strace/line.h"
#include "trace/strace/stacks.h"
#include "trace/strace/tasks.h"
#include "trace/strace/users.h"

struct strace_counts {
	struct profile profile;	      /* The figures, but for what is in flight. */
	struct strace_files *files;   /* NULL: there are no figures of files. */
	struct strace_users *users;   /* NULL: there are no figures of files. */
	struct strace_groups *groups; /* NULL: there are none. */
	struct strace_stacks *stacks; /* NULL: the logs have none. */
};

/* Returns 0 or -ENOMEM. Call strace_counts_free() in either case. */
int strace_counts_init(struct strace_counts *c, const struct strace_format *format);
void strace_counts_free(struct strace_counts *c);

/*
 * A call begins, which may be counted: notes in its task whose it is. tasks may get the first
 * thread of its process. Returns 0 or -ENOMEM.
 */
int strace_counts_enter(struct strace_counts *c, struct strace_tasks *tasks,
			struct strace_task *task);

/* Returns the row of the syscall that a task is in. NULL: no memory. */
struct syscall_stats *strace_counts_row(struct strace_counts *c, const struct strace_task *task);

/* Counts a call of that row, which has returned in this log. 0, or -ENOMEM for a part of it. */
int strace_counts_add(struct strace_counts *c, struct syscall_stats *row, struct strace_task *task,
		      const struct strace_line *l, int log);

/* Makes a copy of the profile, with the users and names. Returns 0 or -ENOMEM. */
int strace_counts_put(const struct strace_counts *c, struct profile *out);
