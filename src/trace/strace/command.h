/* SPDX-License-Identifier: GPL-2.0 */
/* The strace program: where it is, what it can do, and the command line that makes it cheapest. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/syscalls.h"
#include "trace/trace_options.h"

struct strace_tool {
	char *path; /* Its path. NULL: there is none. */
	unsigned major, minor;
	bool unwinds; /* It was built with what unwinds stacks (-k). */
};

/*
 * Looks for strace in PATH, and asks it for its version. Returns 0, or -errno with one line in why:
 * there is none, it does not run, or it is too old. Call strace_tool_free() in either case.
 */
int strace_tool_find(struct strace_tool *t, char *why, size_t size);
void strace_tool_free(struct strace_tool *t);

/* Is it this version or a later one? */
bool strace_tool_is(const struct strace_tool *t, unsigned major, unsigned minor);

/* The way in which strace is run. */
struct strace_run {
	bool launch;	   /* It starts the command. Otherwise it attaches (-p). */
	bool seccomp;	   /* It is run with --seccomp-bpf. */
	bool stacks;	   /* It is run with -k. */
	const pid_t *pids; /* Without launch, the tasks to attach to. */
	size_t nr_pids;
	int log_fd;	      /* The descriptor of the log, which it inherits. */
	char *const *command; /* With launch, the command's argv. */
};

/* Can it print the names of tasks (-Y), which groups need? */
bool strace_prints_comms(const struct strace_tool *t);

/* Does its log have the numbers of the calls (strace_format.numbers)? */
bool strace_prints_numbers(const struct strace_tool *t);

/*
 * Can --seccomp-bpf be used, and is it asked for? It avoids stops at unwanted calls, but changes
 * the program: the filter needs no_new_privs, by which set-user-ID programs lose their rights; it
 * fails the wanted calls of tasks that are not traced (CLONE_UNTRACED), and hides calls that the
 * program's own filter answers.
 */
bool strace_wants_seccomp(const struct strace_tool *t, const struct trace_options *o);

/* Returns its argv as one block to free(). NULL: no memory. */
char **strace_command_line(const struct strace_tool *t, const struct strace_run *r,
			   const struct trace_options *o);
