/* SPDX-License-Identifier: GPL-2.0 */
/* The files of the eBPF backend share this. For them alone. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "model/profile.h"
#include "trace/bpf/slots.h"
#include "trace/collector.h"
#include "trace/target.h"
#include "trace/trace_options.h"

struct bpf_state {
	struct trace_options own_options; /* as given, without what cannot be had */
	const struct trace_options *options;
	struct collector *collector;
	struct iotrace_bpf *skel;
	bool perf_events; /* the probes of syscalls are attached to these */
	bool one_by_one;  /* programs are loaded one after the other: libbpf says what is wrong */
	int nr_cpus;
	struct iotrace_cell *cells;  /* room for one slot's cells of all CPUs */
	struct bpf_slot_calls calls; /* as of the last snapshot */
	struct ring_buffer *idle;    /* readable when there may be no traced task left */
	uint64_t start_ns;	     /* CLOCK_MONOTONIC, when the target was handed over */
	uint64_t stop_ns;	     /* 0 while it runs */
	struct profile ended;	     /* after the stop: the part that tasks held */
	int cgroup_fd;		     /* --cgroup; -1: none */
	int removals_fd;	     /* readable when it may have been removed; -1: none */
};

/* ---- load.c ---- */

/*
 * Opens and loads the skeleton, without the features that cannot be had. 0, or -errno with the
 * reason in why.
 */
int bpf_load(struct bpf_state *s, char *why, size_t size);

/* Does this run have a feature: is it asked for, and can it be had? */
bool bpf_does(const struct bpf_state *s, enum feature feature);

/* Are tasks matched at each of their calls (-a, --cgroup), and not marked before? */
bool bpf_matches_per_call(const struct trace_options *o);

/* ---- files_bpf.c: per-file figures ---- */

/* Call it first: no file is open yet. */
void bpf_files_init(struct iotrace_bpf *skel);

/*
 * Sizes the maps, or does without them. 0, or -errno with one line in why. Call it before the next.
 */
int bpf_files_size(struct bpf_state *s, char *why, size_t size);

/*
 * Call it after filling the slots and before loading the skeleton. 0, or -errno with one line in
 * why, if one can be given.
 */
int bpf_files_configure(struct bpf_state *s, char *why, size_t size);

/* Closes the root and the files of -P, when the probes do not need them any more. */
void bpf_files_close(struct iotrace_bpf *skel);

/* Has the kernel give each file the name that it has now. 0 or -errno. */
int bpf_files_name(struct iotrace_bpf *skel);

/* ---- path_filter.c: the paths of -P ---- */

void bpf_path_filter_init(struct iotrace_bpf *skel);

/* Opens them, for the probes to identify them. 0, or -errno with one line in why. */
int bpf_path_filter_open(struct iotrace_bpf *skel, const struct trace_options *o, char *why,
			 size_t size);

void bpf_path_filter_close(struct iotrace_bpf *skel);

/* ---- iterate.c: the machine's tasks, as the probes see them ---- */

/*
 * Runs a task iterator to its end; hand(arg, record) gets each record that it writes. 0 or -errno.
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

int bpf_ignore_task(void *arg, const struct iotrace_task_record *record); /* for hand() */

/* Have all traced tasks been seen to end? */
bool bpf_all_ended(const struct bpf_state *s);

/* ---- mark.c ---- */

/* Sets the mark of the process behind a pidfd. 0 or -errno. */
int bpf_set_task(struct bpf_state *s, int pidfd, uint32_t flags);

/* These return as start() of a collector does. */

/* Tells the probes whom to trace, before they run. */
int bpf_mark(struct bpf_state *s, const struct target *t, char *why, size_t size);

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

/* ---- read.c: from the probes' maps to a profile ---- */

/* Adds up the cells of a slot of all CPUs, which stay in s->cells. 0 or -errno. */
int bpf_read_slot(struct bpf_state *s, uint32_t slot, struct syscall_stats *row);

/* Adds the calls that have returned, by syscall and errno. 0 or -errno. */
int bpf_read_calls(struct bpf_state *s, struct profile *p);

/*
 * Adds what tasks that have not ended hold: the number of calls entered, and the calls that they
 * are in. 0 or -errno.
 */
int bpf_read_tasks(struct bpf_state *s, struct profile *p);

/* Adds what tasks that have ended have left behind. */
void bpf_read_ended_tasks(const struct bpf_state *s, struct profile *p);

void bpf_read_losses(const struct bpf_state *s, struct profile *p);

/* The time that the figures cover. */
uint64_t bpf_elapsed_ns(const struct bpf_state *s);

/* ---- read_files.c ---- */

/* Adds the files to the profile, after bpf_read_calls(). 0 or -errno. */
int bpf_read_files(struct bpf_state *s, struct profile *p);

/* ---- calibrate.c ---- */

/*
 * Takes the probes off, and measures what calls cost with and without them. After the last
 * snapshot: the figures are spoilt afterwards. 0 or -errno.
 */
int bpf_calibrate(struct bpf_state *s, struct calibration *cal);
