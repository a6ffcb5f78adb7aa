/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turns strace's log, in pieces as they come, into a profile: a pure one-pass state machine. It
 * trusts no length, and keeps one small entry for each living task and what it needs of the line.
 * The log is that of `strace -o FILE -i -T [-f] [-n] [-e raw=all]`; times may have any number of
 * digits. Decoded arguments are understood as well as raw ones. For files, it is that of -yy, with
 * the arguments of the calls on files decoded.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/profile.h"
#include "model/syscalls.h"

struct strace_format {
	bool pids;    /* lines begin with a pid: -f, or several -p */
	bool numbers; /* -n: "[ 257] " before the name */
	/*
	 * The task whose successful execve opens the window, and how many of them come before that
	 * one; its calls until then are not counted. 0: the window is open from the first byte.
	 * Without pids, what the only task is called.
	 */
	pid_t command;
	unsigned skip_execs;
	size_t max_files; /* rows; 0: files are not asked for */
	struct iotrace_port_range ephemeral;
};

struct strace_parser;

/* Calls in set are counted; others may be in the log. NULL: no memory. */
struct strace_parser *strace_parser__new(const struct strace_format *format,
					 const struct syscall_set *set);

/*
 * Takes the next bytes of the log, which came at now_ns (any clock that never goes back). 0, or
 * -ENOMEM if something could not be kept: it is then counted as lost.
 */
int strace_parser__feed(struct strace_parser *p, const char *data, size_t len, uint64_t now_ns);

/* Has the command's execve succeeded? *at_ns (may be NULL) is when. */
bool strace_parser__window_open(const struct strace_parser *p, uint64_t *at_ns);

/* Has a task put a seccomp filter on itself? Needs raw arguments, and those calls in the log. */
bool strace_parser__saw_filter(const struct strace_parser *p);

/*
 * The tasks that were seen and have not ended: fills in their ids, as far as there is room. Returns
 * their number.
 */
size_t strace_parser__tasks(const struct strace_parser *p, pid_t *ids, size_t room);

/*
 * The figures so far; *out is overwritten. In-flight calls have tid, but neither pid nor comm, as
 * the log does not tell them. 0 or -ENOMEM (*out is then empty).
 */
int strace_parser__snapshot(const struct strace_parser *p, struct profile *out, uint64_t now_ns);

void strace_parser__free(struct strace_parser *p);
