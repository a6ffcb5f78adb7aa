/* SPDX-License-Identifier: GPL-2.0 */
/* One traced run, from a paused target and a collector to a profile. One at a time; another may follow. */
#ifndef IOTRACE_RUN_H
#define IOTRACE_RUN_H

#include "model/profile.h"
#include "model/provenance.h"
#include "trace/collector.h"
#include "trace/trace_options.h"
#include "trace/user.h"

struct run {
	const struct trace_options *options;
	bool status_line; /* as in struct session */
	int (*interval)(void *arg, const struct profile *p, uint64_t elapsed_ns);
	void *arg;

	/* What comes of it. */
	struct profile profile;
	bool incomplete; /* the figures are not those of the whole time; it has been said why */

	/* Its own. */
	struct provenance provenance;
	uint64_t overhead_ps;
	struct user user;
	struct target *target;
	struct collector collector;
};

/*
 * What can be wrong before anything is started; argv is iotrace's own, for the record. options must stay. 0 or an exit
 * status, after a message; run_free() it either way.
 */
int run_init(struct run *run, const struct trace_options *options, int argc, char **argv);

/* Starts the target and traces it to its end. 0 once it has been started, or an exit status, after a message. */
int run_trace(struct run *run);

/* Then: no call is counted any more, and the profile is read. 0 or an exit status, after a message. */
int run_read(struct run *run);

/*
 * The wait status that iotrace should end with: the command's, which is waited for, untraced, where only --duration is
 * over; -1 if there is none.
 */
int run_end_status(struct run *run);

/* last: the program ends, as in target__free(). */
void run_free(struct run *run, bool last);

#endif
