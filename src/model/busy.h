/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * The busy time of a program. The first two come from the scheduler's ticks: they are right on
 * average.
 */
struct busy {
	uint64_t user_ns, system_ns;
	uint64_t run_ns, run_calls; /* The calls that did not sleep, and their time. */
	/*
	 * Of a file's users alone: they may work so much less before the run ends any sooner, one
	 * of the other programs takes so long, and they slept so often.
	 */
	uint64_t slack_ns, others_ns, sleeps;
};

static inline void busy_add(struct busy *sum, const struct busy *busy)
{
	sum->user_ns += busy->user_ns;
	sum->system_ns += busy->system_ns;
	sum->run_ns += busy->run_ns;
	sum->run_calls += busy->run_calls;
}

static inline bool busy_known(const struct busy *busy)
{
	return busy->run_calls || busy->user_ns || busy->system_ns;
}
