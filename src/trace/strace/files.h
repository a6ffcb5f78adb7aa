/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rows of the files in strace's log. A file is what strace calls it: a file that is renamed has
 * two rows. Like eBPF's, what is in no file system shares rows (see bpf/files/shared_rows.bpf.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/iotrace.h"
#include "model/profile.h"
#include "trace/strace/path_filter.h"
#include "trace/strace/tasks.h"

struct strace_files;

/*
 * There are at most max rows. ephemeral: the ports that sockets get that ask for none. NULL: no
 * memory.
 */
struct strace_files *strace_files__new(size_t max, struct iotrace_port_range ephemeral);
void strace_files__free(struct strace_files *t);

/* With -P: is the file of a descriptor, as its text is in a line, wanted? */
bool strace_files__wants(const struct strace_path_filter *only, const char *text);

/*
 * All of these return the id of a row of p, FILE_ID_NO_ROOM if there is no room for it, or 0
 * without memory.
 */

/*
 * Finds or makes the row of a descriptor's file, of which a line has text and said. comm: the name
 * of the program that uses it. reads: the call reads from it.
 */
uint32_t strace_files__descriptor(struct strace_files *t, struct profile *p, const char *text,
				  const struct strace_said *said, const char *comm, bool reads);
/* Finds or makes the row of a path that could not be opened or found. */
uint32_t strace_files__failed(struct strace_files *t, struct profile *p, const char *text, bool cut,
			      int err);
/*
 * Finds or makes the row of a path that was looked at and found. FILE_ID_OTHER: it is none of those
 * that were looked at last, or it is relative, and the log does not say to what.
 */
uint32_t strace_files__found(struct strace_files *t, struct profile *p, const char *text);
/* Finds or makes the row of descriptors that are not open. */
uint32_t strace_files__invalid(struct profile *p);

/* ---- file_calls.c: counts calls for the files that their lines name ---- */

/* Has the task remember what a line says whose rest comes later. Returns 0 or -ENOMEM. */
int strace_note_unfinished(struct strace_files *files, struct profile *p, struct strace_task *task,
			   const struct strace_line *l);

/*
 * The path of a call, which is in the first or the last part of its line; *said is that part's.
 * NULL: there is none.
 */
const char *strace_path_of_call(const struct strace_task *task, const struct strace_line *l,
				const struct strace_said **said);

/*
 * With -P: is a call wanted for the file of its first argument, the file that it opened, or the
 * path that could not be opened?
 */
bool strace_is_wanted(const struct strace_path_filter *only, const struct strace_task *task,
		      const struct strace_line *l);

/*
 * Counts a call that has returned for its file, whose row is *row. Calls on (other) are not counted
 * here: they are what is left in the end. Returns 0 or -ENOMEM.
 */
int strace_count_for_file(struct strace_files *files, struct profile *p, struct strace_task *task,
			  const struct strace_line *l, uint32_t *row);
