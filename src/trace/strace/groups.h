/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out who makes the calls of strace's log, for --by. For parse.c alone. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"
#include "trace/strace/tasks.h"

struct strace_groups;

/*
 * by: keys that strace knows, as in struct trace_options. There are at most max groups, and
 * max_uses pairs of a group and a file. NULL: no memory.
 */
struct strace_groups *strace_groups__new(const unsigned by[MAX_GROUP_KEYS], size_t max,
					 size_t max_uses);
void strace_groups__free(struct strace_groups *g);

/*
 * A task begins a call, and its name and program are known if they can be: notes its group in it.
 * tasks gets the first thread of its process, if it has not made a call yet. 0 or -ENOMEM.
 */
int strace_groups__enter(struct strace_groups *g, struct strace_tasks *tasks,
			 struct strace_task *task);

/* Counts a call as a group's, as it is counted in row, its syscall's. Returns 0 or -ENOMEM. */
int strace_groups__count(struct profile *p, const struct strace_task *task,
			 const struct syscall_stats *row, const struct strace_line *l);

/* Counts a call of the task's group on a row. Returns 0 or -ENOMEM. */
int strace_groups__use(struct strace_groups *g, const struct strace_task *task, uint32_t row);

/*
 * Names the groups of a profile that has their calls, and tells which used its files. Returns 0 or
 * -ENOMEM.
 */
int strace_groups__put(const struct strace_groups *g, struct profile *p);
