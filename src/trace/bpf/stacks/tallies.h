/* SPDX-License-Identifier: GPL-2.0 */
/* The samples of a run by syscall, file and stack, until their code is named at the end. */
#pragma once

#include "bpf/iotrace.h"
#include "model/sites.h"
#include "stacks/unwind.h"

struct known_chain {
	struct frame *frames;
	size_t nr;
	bool cut;
	uint64_t hash;
	enum machine machine;
};

/* The samples of one syscall, file and chain. */
struct tally {
	uint32_t row, slot;
	struct site site; /* Its syscall is not filled in; its stack is the index of the chain. */
};

struct tallies {
	struct known_chain *chains;
	size_t nr_chains;
	struct tally *list;
	size_t nr;
};

/* Counts a sample. Returns 0, or -ENOMEM: there is no room for it. */
int tallies__count(struct tallies *t, const struct iotrace_sampled_call *call,
		   const struct chain *chain, enum machine machine);
void tallies__free(struct tallies *t);
