/* SPDX-License-Identifier: GPL-2.0 */
/* The strace program: where it is, what it can do, and the command line that makes it cheapest. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/syscalls.h"
#include "trace/trace_options.h"

struct strace_tool {
	char *path; /* NULL: none found */
	unsigned major, minor;
};

/*
 * Looks for strace in PATH, and asks it for its version. 0, or -errno with one line in why: there
 * is none, it does not run, it is too old. strace_tool_free() whatever is returned.
 */
int strace_tool_find(struct strace_tool *t, char *why, size_t size);
void strace_tool_free(struct strace_tool *t);

bool strace_tool_is(const struct strace_tool *t, unsigned major, unsigned minor); /* or later */

/* The way in which strace is run. */
struct strace_run {
	bool launch;	   /* it starts the command, and not -p */
	bool seccomp;	   /* --seccomp-bpf */
	const pid_t *pids; /* without launch */
	size_t nr_pids;
	int log_fd;	      /* inherited */
	char *const *command; /* with launch */
};

/* The form of the log, for strace_parse. */
bool strace_prints_numbers(const struct strace_tool *t);

/*
 * Can --seccomp-bpf be used, and is it asked for? It avoids stops at unwanted calls, but changes
 * the program: the filter needs no_new_privs, by which set-user-ID programs lose their rights; it
 * fails the wanted calls of tasks that are not traced (CLONE_UNTRACED), and hides calls that the
 * program's own filter answers.
 */
bool strace_wants_seccomp(const struct strace_tool *t, const struct trace_options *o);

/* The argv, one block to free(). NULL: no memory. */
char **strace_command_line(const struct strace_tool *t, const struct strace_run *r,
			   const struct trace_options *o);
