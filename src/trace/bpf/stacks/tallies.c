// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/stacks/tallies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The chains that a run may have; there is no room for further ones. */
#define MAX_CHAINS 65536

static uint64_t hash_chain(const struct chain *c)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i < c->nr; i++)
		hash = (hash ^ c->frames[i].address ^ c->frames[i].kind) * 0x100000001b3ULL;
	return hash;
}

/* Returns the index of a chain, which is added if it is new. SIZE_MAX: there is no room. */
static size_t chain_index(struct tallies *t, const struct chain *c, enum machine machine)
{
	uint64_t hash = hash_chain(c);
	struct known_chain *added;

	for (size_t i = 0; i < t->nr_chains; i++) {
		const struct known_chain *k = &t->chains[i];

		if (k->hash == hash && k->nr == c->nr && k->machine == machine &&
		    !memcmp(k->frames, c->frames, c->nr * sizeof(*k->frames)))
			return i;
	}
	if (t->nr_chains == MAX_CHAINS)
		return SIZE_MAX;
	added = array_append(&t->chains, &t->nr_chains, sizeof(*added));
	if (!added)
		return SIZE_MAX;
	added->frames = array_copy(c->frames, c->nr, sizeof(*c->frames));
	if (!added->frames) {
		t->nr_chains--;
		return SIZE_MAX;
	}
	added->nr = c->nr;
	added->cut = c->cut;
	added->hash = hash;
	added->machine = machine;
	return t->nr_chains - 1;
}

int tallies__count(struct tallies *t, const struct iotrace_sampled_call *call,
		   const struct chain *chain, enum machine machine)
{
	double calls = (double)call->weight / (double)call->own, ns = (double)call->ns;
	/* One call of so many is drawn (Horvitz and Thompson, 1952). */
	double variance = calls > 1 ? calls * (calls - 1) : 0;
	size_t stack = chain_index(t, chain, machine);
	struct tally *found = NULL;

	if (stack == SIZE_MAX)
		return -ENOMEM;
	for (size_t i = 0; !found && i < t->nr; i++)
		if (t->list[i].row == call->row && t->list[i].slot == call->slot &&
		    t->list[i].site.stack == stack)
			found = &t->list[i];
	if (!found)
		found = array_append(&t->list, &t->nr, sizeof(*found));
	if (!found)
		return -ENOMEM;
	found->row = call->row;
	found->slot = call->slot;
	found->site.stack = stack;
	found->site.samples++;
	found->site.calls += calls;
	found->site.ns += calls * ns;
	found->site.bytes += calls * (double)call->bytes;
	found->site.calls_variance += variance;
	found->site.ns_variance += variance * ns * ns;
	return 0;
}

void tallies__free(struct tallies *t)
{
	for (size_t i = 0; i < t->nr_chains; i++)
		free(t->chains[i].frames);
	free(t->chains);
	free(t->list);
	memset(t, 0, sizeof(*t));
}
