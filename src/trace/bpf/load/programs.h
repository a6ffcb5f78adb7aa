/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Knows which programs of the probes a run needs: one table for loading, taking off and accounting.
 * For collector_bpf.c alone.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct bpf_program;
struct iotrace_bpf;

/* The things that a run needs. */
struct bpf_needs {
	bool match_per_call; /* Tasks are found by their calls, and not marked before. */
	bool files;	     /* There are figures by file. */
	bool entries;	     /* Calls are looked at when they begin as well. */
	bool targets;	     /* There are processes whose threads are to be marked. */
	bool access;	     /* The user may not trace everything. */
	bool cpu;	     /* The CPU time of calls is counted. */
	bool names;	     /* Files are named at the end. */
	bool root;	     /* iotrace's own root, and which files -P means */
	bool in_flight;	     /* What tasks hold that have not ended is read. */
	bool late;	     /* The kernel skips programs that see tasks begin and end. */
};

/* Call it between opening and loading the skeleton: selects the programs to load. */
void bpf_programs_choose(struct iotrace_bpf *skel, const struct bpf_needs *needs);

/*
 * Call it between that and loading, when the kernel's types are kept (vmlinux_btf.h): those that
 * see calls will be programs of the tracepoints instead of perf's events. 0 or -errno.
 */
int bpf_programs_see_tracepoints(struct iotrace_bpf *skel);

/*
 * Attaches what is not attached yet: the ends of tasks first, then returns, then entries, so that
 * no call is seen to enter whose return would be missed, and then new tasks, all of whose calls are
 * to be seen. 0 or -errno.
 */
int bpf_programs_attach(struct iotrace_bpf *skel);

/* Detaches the probes that see calls. Those that see tasks stay attached. */
void bpf_programs_take_off(struct iotrace_bpf *skel);

/*
 * Counts how often the kernel skipped the programs that see calls, and those that see new tasks:
 * the sums of misses().
 */
struct bpf_misses {
	uint64_t calls, tasks;
};

struct bpf_misses bpf_programs_misses(const struct iotrace_bpf *skel,
				      uint64_t (*misses)(const struct bpf_program *program));
