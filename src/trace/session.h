/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time of a run: from the start of the target to its end, an interrupt or the end of
 * --duration.
 */
#pragma once

#include "model/profile.h"
#include "trace/collector.h"
#include "trace/target.h"
#include "trace/trace_options.h"

struct session {
	const struct trace_options *options;
	struct collector *collector;
	struct target *target;
	/* A status line is kept on stderr, a terminal that nobody else writes to. */
	bool status_line;
	/*
	 * It is called with the figures of each interval of --interval, and the time since the
	 * start. Returns 0, or an error that ends the session.
	 */
	int (*interval)(void *arg, const struct profile *p, uint64_t elapsed_ns);
	void *arg;
};

/*
 * Waits until the target and all its descendants have ended, --duration is over, or the user gives
 * up waiting. Returns 0 or -errno.
 */
int session_run(struct session *s);
