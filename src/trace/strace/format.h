/* SPDX-License-Identifier: GPL-2.0 */
/* What a log of strace has, and what is wanted of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/profile.h"

struct strace_path_filter;

/* What /proc says of living tasks. 0 or NULL: it says nothing. */
struct strace_proc {
	pid_t (*process_of)(pid_t tid);
	pid_t (*parent_of)(pid_t pid);
	void (*name_of)(pid_t tid, char *comm, size_t size); /* The name is "?" if there is none. */
	char *(*executable_of)(pid_t pid);		     /* The path is to be freed. */
};

struct strace_format {
	bool numbers; /* The log has the numbers of -n, "[ 257] ", before the names. */
	/*
	 * Task whose successful execve opens the window, and how many of them come before that one.
	 * Calls until then are not counted. 0: the window is open from the first byte.
	 */
	pid_t command;
	unsigned skip_execs;
	/*
	 * Counts the calls of the command, or of the processes of strace_parser__add_process(), and
	 * not those of their children.
	 */
	bool no_follow;
	const struct strace_proc *proc;		       /* NULL: nothing is known of tasks. */
	const struct strace_path_filter *filter_paths; /* The files of -P. NULL: all files. */
	size_t max_files; /* Number of rows. 0: there are no figures of files. */
	struct iotrace_port_range ephemeral;
	bool stacks; /* With figures of files: the log has the stacks of -k. */
	/* The keys of groups. The log has the names of -Y, and the flags of clones. 0: none. */
	unsigned by[MAX_GROUP_KEYS];
	size_t max_groups;
};
