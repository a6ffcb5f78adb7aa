/* SPDX-License-Identifier: GPL-2.0 */
/* From the options to probes that are loaded and know whom to trace. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/ids.h"
#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "model/profile.h"
#include "trace/bpf/load/slots.h"
#include "trace/collector.h"
#include "trace/target.h"
#include "trace/trace_options.h"

struct added_cells;
struct sampling;

/* What the files of the eBPF backend share, and nobody else uses. */
struct bpf_state {
	struct trace_options own_options; /* As they were given, without what cannot be had. */
	const struct trace_options *options;
	struct collector *collector;
	struct iotrace_bpf *skel;
	bool perf_events; /* The probes of syscalls are attached to perf's events. */
	bool one_by_one;  /* libbpf loads one program after the other, and says what is wrong. */
	bool no_nagle;	  /* The probes cannot tell for how long a write to a connection is held. */
	int nr_cpus;
	struct iotrace_cell *cells;	 /* Room for the cells that all CPUs have of one slot. */
	struct bpf_slot_calls calls;	 /* The calls of each slot, as of the last snapshot. */
	struct group_stats grouped;	 /* The calls of all groups, as of the last snapshot. */
	struct ids targets;		 /* The processes that are marked as targets, with -p. */
	struct sampling *sampling;	 /* NULL: no stacks are sampled. */
	struct added_cells *added_cells; /* NULL: those of groups are not added to. */
	struct ring_buffer *idle;	 /* Readable when there may be no traced task left. */
	uint64_t start_ns;		 /* When the target was handed over, CLOCK_MONOTONIC. */
	uint64_t stop_ns;		 /* When tracing ended. 0: it has not. */
	struct profile ended;		 /* What tasks held, after the stop. */
	int cgroup_fd;			 /* --cgroup; -1: none */
	int removals_fd; /* Readable when the cgroup may have been removed. -1: none. */
};

/* ---- load.c ---- */

/*
 * Opens and loads the skeleton, without the features that cannot be had. 0, or -errno with the
 * reason in why.
 */
int bpf_load(struct bpf_state *s, char *why, size_t size);

/* Closes the skeleton, and the files that are open for the probes. */
void bpf_unload(struct bpf_state *s);

/*
 * Runs the iterators that a run reads with, and so has the kernel give each file the name that it
 * has now. 0 or -errno.
 */
int bpf_try_iterators(struct bpf_state *s);

/* Does this run have a feature: is it asked for, and can it be had? */
bool bpf_does(const struct bpf_state *s, enum feature feature);

/* Are tasks matched at each of their calls (-a, --cgroup), and not marked before? */
bool bpf_matches_per_call(const struct trace_options *o);

/* ---- files.c: per-file figures ---- */

/*
 * Sizes the maps, or does without them. 0, or -errno with one line in why. Call it before the next.
 */
int bpf_files_size(struct bpf_state *s, char *why, size_t size);

/*
 * Call it after filling the slots and before loading the skeleton. 0, or -errno with one line in
 * why, if one can be given.
 */
int bpf_files_configure(struct bpf_state *s, char *why, size_t size);

/* ---- path_filter.c: the paths of -P ---- */

/* Call it first: no file is open yet. */
void bpf_path_filter_init(struct iotrace_bpf *skel);

/* Opens them, for the probes to identify them. 0, or -errno with one line in why. */
int bpf_path_filter_open(struct iotrace_bpf *skel, const struct trace_options *o, char *why,
			 size_t size);

void bpf_path_filter_close(struct iotrace_bpf *skel);

/* ---- iterate.c: the machine's tasks, as the probes see them ---- */

/*
 * Runs a task iterator to its end; hand(arg, record) gets each record that it writes, unless it is
 * NULL. 0 or -errno.
 */
int bpf_iterate(struct bpf_program *program,
		int (*hand)(void *arg, const struct iotrace_task_record *record), void *arg);

/*
 * Runs a program over all tasks, and again if it was refused the state of a task, to give the
 * holder of the lock time to go on. Calls begin(arg) before each time unless it is NULL. Returns 0,
 * 1 if states were still refused, or -errno.
 */
int bpf_iterate_all(struct bpf_state *s, struct bpf_program *program, void (*begin)(void *arg),
		    int (*hand)(void *arg, const struct iotrace_task_record *record), void *arg);

/* Have all traced tasks been seen to end? */
bool bpf_all_ended(const struct bpf_state *s);

/* ---- mark.c ---- */

/* Sets the mark of a process. 0 or -errno. */
int bpf_set_pid(struct bpf_state *s, pid_t pid, uint32_t flags);

/* These return as start() of a collector does. */

/* Tells the probes whom to trace, before they run. */
int bpf_mark(struct bpf_state *s, const struct target *t, char *why, size_t size);

/*
 * Marks the processes that descend from the targets. What starts meanwhile is traced if its parent
 * is marked already; if that came too late, a second pass finds it.
 */
int bpf_mark_children(struct bpf_state *s, char *why, size_t size);

/* Marks the existing threads of the targets; the probes mark new ones themselves. */
int bpf_mark_threads(struct bpf_state *s, char *why, size_t size);

/*
 * Asks the kernel again, when all are marked, whether the user may trace the targets: from then on
 * the probes see what changes that.
 */
int bpf_check_targets(struct bpf_state *s, char *why, size_t size);

/*
 * Marks the processes that a user may trace who may not trace everything, and names the others. A
 * process that starts meanwhile inherits its parent's mark; if that came too late, a second pass
 * finds it.
 */
int bpf_mark_allowed(struct bpf_state *s, char *why, size_t size);

bool bpf_cgroup_is_gone(const struct bpf_state *s);

/* ---- tracepoint.c ---- */

/*
 * A file descriptor of an event of this tracepoint: "sys_enter", "sys_exit". Programs attached to
 * it see all tasks on all CPUs: they belong to the tracepoint (perf_event_attach_bpf_prog() in
 * kernel/trace/bpf_trace.c). Its number is in tracefs, wherever that is mounted, or in a mount that
 * nobody else sees, which takes CAP_SYS_ADMIN. -errno on failure.
 */
int tracepoint_open(const char *name);

/* ---- groups.c: figures of groups (--by) ---- */

/* Sizes the maps, or does without them. 0, or -errno with one line in why. */
int bpf_groups_size(struct bpf_state *s, char *why, size_t size);

/* ---- offsets.c: where the running kernel keeps what the probes read, by its BTF ---- */

/*
 * What the probes read of a task's process and ids. 0, or -errno with one line in why. Without BTF
 * they stay 0, and libbpf says what is wrong.
 */
int bpf_find_task_offsets(struct iotrace_task_offsets *at, char *why, size_t size);

/* What they read of files. 0, or -errno with one line in why. */
int bpf_find_file_offsets(struct iotrace_file_offsets *at, char *why, size_t size);

/* What they read of TCP connections. Returns false, with all of it 0, if the kernel lacks any. */
bool bpf_find_tcp_offsets(struct iotrace_tcp_offsets *at);

/* What they read of who may trace a process. 0 or -EOPNOTSUPP. */
int bpf_find_access_offsets(struct iotrace_access_offsets *at);
