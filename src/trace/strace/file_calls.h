/* SPDX-License-Identifier: GPL-2.0 */
/* Counts calls for the files that their lines name. For parse.c alone. */
#pragma once

#include "model/profile.h"
#include "trace/strace/files.h"
#include "trace/strace/line.h"
#include "trace/strace/tasks.h"

/*
 * The rest of the line comes later: has the task remember what this part says. 0 or -ENOMEM.
 */
int strace_note_unfinished(struct strace_files *files, struct profile *p, struct strace_task *task,
			   const struct strace_line *l);

/* The path of a call, in the part of its line that said is of. NULL: there is none. */
const char *strace_path_of_call(const struct strace_task *task, const struct strace_line *l,
				const struct strace_said **said);

/*
 * With -P: is a call wanted for the file of its first argument, the file that it opened, or the path
 * that could not be opened?
 */
bool strace_is_wanted(const struct strace_path_filter *only, const struct strace_task *task,
		      const struct strace_line *l);

/*
 * Counts a call that has returned for its file, whose row is *row. Calls on (other) are those that
 * are left in the end. 0 or -ENOMEM.
 */
int strace_count_for_file(struct strace_files *files, struct profile *p, struct strace_task *task,
			  const struct strace_line *l, uint32_t *row);
