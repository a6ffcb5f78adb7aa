/* SPDX-License-Identifier: GPL-2.0 */
/* The options of measuring: of whom, and what; not how to print it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/iotrace.h"
#include "model/syscalls.h"

/* The tasks to trace. */
enum scope {
	SCOPE_COMMAND, /* a command of our own, and what it starts */
	SCOPE_PIDS,    /* -p: running processes, and what they start */
	SCOPE_CGROUP,  /* --cgroup: every task in it and below */
	SCOPE_ALL,     /* -a: every task but ourselves */
};

struct trace_options {
	enum scope scope;
	char **command; /* SCOPE_COMMAND: its argv, NULL-terminated */
	pid_t *pids;	/* SCOPE_PIDS: each once, in the order given */
	size_t nr_pids;
	bool all;		 /* -a was given */
	const char *cgroup;	 /* SCOPE_CGROUP: as given */
	const char *comm;	 /* --comm; NULL: any */
	long long uid;		 /* --uid; -1: any */
	const char *user;	 /* -u; NULL: as we are */
	const char *backend;	 /* --backend: a collector's name; NULL: the first that is usable */
	bool seccomp;		 /* strace stops the command by a filter, at wanted calls only */
	bool no_follow;		 /* only the command's own threads, not its children */
	bool no_latency;	 /* no clock reads */
	uint32_t sample_latency; /* one call in so many is timed; 1: every call */
	bool cpu;		 /* the CPU time of calls, too */
	bool overhead;		 /* measure what tracing adds to a call */
	bool until_command;	 /* tracing ends with the command, whatever it leaves behind */
	uint64_t duration_ns;	 /* 0: until the target ends */
	uint64_t interval_ns;	 /* 0: only the whole */
	struct syscall_set set;
	bool files;		   /* per-file figures */
	bool files_needed;	   /* they were asked for: without them, tracing must not begin */
	size_t max_files;	   /* --max-files: rows */
	const char **filter_paths; /* -P */
	size_t nr_filter_paths;	   /* up to MAX_FILTER_PATHS */
	bool verbose;
	bool quiet; /* no notes */
};
