/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides which calls are timed with --sample-latency=N: one of each N in a row of a task, which is
 * drawn for each group anew. So each call is as likely to be timed as any other,
 * whatever rhythm its task has, and a number is drawn once in N calls.
 */
#pragma once

#include "kernel/kernel.bpf.h"

u32 sample_every = 1; /* N. User space changes it when it calibrates. */

/* Draws which call is to be timed in a task's next group. */
static __always_inline void next_sample(struct iotrace_task *state)
{
	u32 nr = sample_every, drawn;

	if (!nr)
		return;
	drawn = bpf_get_prandom_u32() % nr;
	state->calls_to_skip = state->rest + drawn;
	state->rest = nr - 1 - drawn;
}

/* Is the call that begins timed? */
static __always_inline bool is_sampled(struct iotrace_task *state)
{
	if (!cfg.sample)
		return true;
	if (state->calls_to_skip && sample_every > 1) {
		state->calls_to_skip--;
		return false;
	}
	next_sample(state);
	return true;
}

/* Was the beginning of the call timed? */
static __always_inline bool was_sampled(const struct iotrace_task *state)
{
	return !cfg.sample || state->start_ns;
}

/* The time that a timed call stands for. */
static __always_inline u64 sampled_ns(u64 ns)
{
	return cfg.sample ? ns * sample_every : ns;
}
