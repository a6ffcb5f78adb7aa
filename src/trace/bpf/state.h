/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the eBPF backend share. For them alone. */
#ifndef IOTRACE_BPF_STATE_H
#define IOTRACE_BPF_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "model/profile.h"
#include "trace/bpf/slots.h"
#include "trace/target.h"
#include "trace/trace_options.h"

struct bpf_state {
	const struct trace_options *options;
	struct iotrace_bpf *skel;
	int nr_cpus;
	struct iotrace_cell *cells;  /* room for one slot's cells of all CPUs */
	struct bpf_slot_calls calls; /* as of the last snapshot */
	struct ring_buffer *idle; /* says that no traced task is left, or was left for a moment */
	uint64_t start_ns;	  /* CLOCK_MONOTONIC, when the target was handed over */
	uint64_t stop_ns;	  /* 0 while it runs */
	struct profile ended;	  /* once it is stopped: the part that tasks hold */
	int cgroup_fd;		  /* --cgroup; -1: none */
	int removals_fd;	  /* readable when it may have been removed; -1: nobody tells */
};

/* ---- iterate.c: the machine's tasks, as the probes see them ---- */

/* Runs a task iterator to its end; hand(arg, record) gets each record that it writes. 0 or -errno. */
int bpf_iterate(struct bpf_program *program,
		int (*hand)(void *arg, const struct iotrace_task_record *record), void *arg);

/*
 * Has a program go through the tasks; where it was refused a task's state, again, once whoever was in its way has had the
 * time to go on. 1: it still was; begin(arg), unless NULL, is called before each time.
 */
int bpf_iterate_all(struct bpf_state *s, struct bpf_program *program, void (*begin)(void *arg),
		    int (*hand)(void *arg, const struct iotrace_task_record *record), void *arg);

int bpf_ignore_task(void *arg, const struct iotrace_task_record *record); /* for hand() */

/* Have all traced tasks been seen to end? */
bool bpf_all_ended(const struct bpf_state *s);

/* ---- mark.c ---- */

/* What the probes must know of the target before they run. 0, or -errno after a message. */
int bpf_mark(struct bpf_state *s, const struct target *t);

/* The probes know the targets' new threads already; these are the old ones. */
int bpf_mark_threads(struct bpf_state *s);

/*
 * For a user who may not trace everything: marks what they may trace, and names the rest. What starts meanwhile is found
 * by its parent's mark, or, if that came too late, by going through all once more.
 */
int bpf_mark_allowed(struct bpf_state *s);

bool bpf_cgroup_is_gone(const struct bpf_state *s);

/* ---- read.c: from the probes' maps to a profile ---- */

/* What has returned, by syscall and errno. 0 or -errno. */
int bpf_read_calls(struct bpf_state *s, struct profile *p);

/* What tasks that have not ended hold: what they have entered, and the calls that they are in. 0 or -errno. */
int bpf_read_tasks(struct bpf_state *s, struct profile *p);

/* What tasks that have ended have left behind. */
void bpf_read_ended_tasks(const struct bpf_state *s, struct profile *p);

void bpf_read_losses(const struct bpf_state *s, struct profile *p);

/* From when to when the figures are. */
uint64_t bpf_elapsed_ns(const struct bpf_state *s);

#endif
