/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turns strace's log, in pieces as they come, into a profile: a pure one-pass state machine. It
 * trusts no length, and keeps one small entry for each living task and what it needs of the line.
 * The log is that of `strace -f -o FILE -i -T [-n] [-e raw=all]`; times may have any number of
 * digits. Decoded arguments are understood as well as raw ones. For files, it is that of -yy, with
 * the arguments of the calls on files decoded, and of those that execute programs; for files and
 * without children, it has the calls that make tasks, decoded.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/profile.h"
#include "model/syscalls.h"
#include "trace/strace/format.h"

struct strace_parser;

/* Calls in set are counted; others may be in the log. NULL: no memory. */
struct strace_parser *strace_parser__new(const struct strace_format *format,
					 const struct syscall_set *set);

/* Adds a process that strace attaches to. Returns 0 or -ENOMEM. */
int strace_parser__add_process(struct strace_parser *p, pid_t pid);

/*
 * Call it before strace attaches to a task. If that is inside a call, of this number (otherwise
 * -1), strace makes the kernel begin the call again, and it is not counted. 0 or -ENOMEM.
 */
int strace_parser__expect(struct strace_parser *p, pid_t tid, int nr);

/*
 * Adds the log of another strace, which traces other tasks. Returns its number, or -ENOMEM. The
 * first one is there from the beginning, and is 0.
 */
int strace_parser__add_log(struct strace_parser *p);

/*
 * Takes the next bytes of a log, which came at now_ns (any clock that never goes back). 0, or
 * -ENOMEM if something could not be kept: it is then counted as lost.
 */
int strace_parser__feed(struct strace_parser *p, int log, const char *data, size_t len,
			uint64_t now_ns);

/* Has the command's execve succeeded? *at_ns (may be NULL) is when. */
bool strace_parser__window_open(const struct strace_parser *p, uint64_t *at_ns);

/* Has a task put a seccomp filter on itself? The log must have those calls, with raw arguments. */
bool strace_parser__saw_filter(const struct strace_parser *p);

/*
 * Fills in the ids of the tasks that were seen and have not ended, without children that are left
 * out, as far as there is room. Returns their number.
 */
size_t strace_parser__tasks(const struct strace_parser *p, pid_t *ids, size_t room);

/*
 * Fills in the figures so far; *out is overwritten. In-flight calls have tid, but neither pid nor
 * comm, which the log does not tell. Returns 0 or -ENOMEM (*out is then empty).
 */
int strace_parser__snapshot(const struct strace_parser *p, struct profile *out, uint64_t now_ns);

/*
 * Takes the logs as ended, and adds where the calls come from to a snapshot, to which the row
 * (other) may have been added. Returns 0 or -ENOMEM.
 */
int strace_parser__put_stacks(struct strace_parser *p, struct profile *out);

void strace_parser__free(struct strace_parser *p);
