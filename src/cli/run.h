/* SPDX-License-Identifier: GPL-2.0 */
/* One traced run, from a paused target and a collector to a result. Only one run at a time. */
#pragma once

#include "model/profile.h"
#include "model/provenance.h"
#include "model/result.h"
#include "trace/collector.h"
#include "trace/trace_options.h"
#include "trace/user.h"

struct run {
	const struct trace_options *options;
	bool status_line; /* A line on the terminal says how the run goes. */
	/* Gets the figures of each interval. 0 or -errno. */
	int (*interval)(void *arg, const struct profile *p, uint64_t elapsed_ns);
	void *arg;
	uint64_t buffer_size; /* Bytes of the fixes' buffers: see findings_judge(). */

	/* The results. */
	struct profile profile;
	struct result result; /* Files and findings of the profile. */
	bool incomplete;      /* Tracing ended early, and a message has said why. */

	/* What only run.c uses. */
	struct provenance provenance;
	struct user user;
	struct target *target;
	struct collector collector;
};

/*
 * Checks what can be checked before anything is started. own are the nr_own arguments of iotrace
 * itself, argv[0] included, for the record; options must outlive the run. Returns 0, or an exit
 * status after a message. Call run_free() in either case.
 */
int run_init(struct run *run, const struct trace_options *options, char *const *own, int nr_own);

/* Checks that there is such a command to run. 0, or an exit status after a message. */
int run_check_command(const char *name);

/*
 * Starts the target and traces it to its end. Returns 0 if it was started, or an exit status after
 * a message.
 */
int run_trace(struct run *run);

/*
 * Runs the command to its end without tracing it, instead of run_trace() and run_read(). Returns 0
 * with the time from its execve to its end, or an exit status after a message.
 */
int run_bare(struct run *run, uint64_t *ns);

/*
 * Stops counting, reads the profile and makes the result of it. Returns 0, or an exit status after
 * a message.
 */
int run_read(struct run *run);

/*
 * The wait status that iotrace should end with: the command's, or -1 without a command. If
 * --duration ended the run, waits for the command first.
 */
int run_end_status(struct run *run);

/* Frees what a run holds. last: the program ends now, as in target__free(). */
void run_free(struct run *run, bool last);
