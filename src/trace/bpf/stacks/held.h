/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples of Python without its frames: the first one of a process, by which user space learns of
 * it. If others of the same calls follow, those stand for them; if none does, they count, with the
 * interpreter alone.
 */
#pragma once

#include "trace/bpf/stacks/tallies.h"

/* Further ones are counted at once. */
#define MAX_HELD 1024

struct held_sample {
	struct iotrace_interpreter_key process;
	struct iotrace_sampled_call call;
	struct chain *chain;
	enum machine machine;
};

struct held_samples {
	struct held_sample *list;
	size_t nr;
};

/* Keeps a sample. Returns false if there is no room. */
bool held__add(struct held_samples *held, const struct iotrace_stack_sample *sample,
	       const struct chain *chain, enum machine machine);
/* Drops those of a process on the same file and syscall as a sample. */
void held__drop(struct held_samples *held, const struct iotrace_stack_sample *sample);
void held__free(struct held_samples *held);
