/* SPDX-License-Identifier: GPL-2.0 */
/* The options of measuring: whom to trace, and what; not how to print it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/iotrace.h"
#include "model/syscalls.h"

/* The tasks to trace. */
enum scope {
	SCOPE_COMMAND, /* A command of iotrace's own, and what it starts. */
	SCOPE_PIDS,    /* With -p: running processes, and what they start. */
	SCOPE_CGROUP,  /* With --cgroup: every task in it and below. */
	SCOPE_ALL,     /* With -a: every task but iotrace itself. */
};

struct trace_options {
	enum scope scope;
	char **command; /* SCOPE_COMMAND: the command's argv, ended by a NULL. */
	pid_t *pids;	/* SCOPE_PIDS: the processes, each once, in the order given. */
	size_t nr_pids;
	bool named;		 /* Names were given for some of them. */
	bool with_children;	 /* Also what they made before tracing began. */
	bool all;		 /* -a was given. */
	const char *cgroup;	 /* SCOPE_CGROUP: the name as given. */
	const char *comm;	 /* The name of --comm. NULL: any. */
	long long uid;		 /* The user of --uid. -1: any. */
	const char *user;	 /* The user of -u. NULL: that of iotrace. */
	const char *backend;	 /* The collector of --backend. NULL: the first that can be used. */
	bool seccomp;		 /* strace stops the command by a filter, at wanted calls only. */
	bool no_follow;		 /* The command's own threads are traced, not its children. */
	bool no_latency;	 /* No clock is read. */
	uint64_t sample_latency; /* One call in so many is timed. 1: every call is. */
	bool cpu;		 /* The CPU time of calls is measured, too. */
	bool overhead;		 /* What tracing adds to a call is measured. */
	bool until_command;	 /* Tracing ends with the command, whatever it leaves behind. */
	uint64_t duration_ns;	 /* 0: it ends with the target. */
	uint64_t interval_ns;	 /* 0: only the whole is reported. */
	struct syscall_set set;
	unsigned by[MAX_GROUP_KEYS]; /* Whose calls are told apart: BY_..., 0 after the last. */
	uint64_t max_groups;	     /* Number of groups, of --max-groups. */
	bool files;		     /* There are figures of each file. */
	bool stacks;		     /* Samples of stacks say where the calls come from. */
	bool all_stacks;	     /* Also where calls without a file come from. */
	bool whole_stacks;	   /* Lines are also wanted of frames in libraries of the system. */
	bool files_needed;	   /* They were asked for: tracing must not begin without them. */
	uint64_t max_files;	   /* Number of rows, of --max-files. */
	const char **filter_paths; /* The paths of -P. */
	size_t nr_filter_paths;	   /* At most MAX_FILTER_PATHS. */
	bool verbose;
	bool quiet; /* Notes are not printed. */
};
