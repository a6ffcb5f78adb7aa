// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/stacks/held.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool held__add(struct held_samples *held, const struct iotrace_stack_sample *sample,
	       const struct chain *chain, enum machine machine)
{
	struct chain *copy = held->nr < MAX_HELD ? malloc(sizeof(*copy)) : NULL;
	struct held_sample *added =
		copy ? array_append(&held->list, &held->nr, sizeof(*added)) : NULL;

	if (!added) {
		free(copy);
		return false;
	}
	*copy = *chain;
	*added = (struct held_sample){ sample->process, sample->call, copy, machine };
	return true;
}

static bool same_calls(const struct held_sample *held, const struct iotrace_stack_sample *sample)
{
	return held->call.row == sample->call.row && held->call.slot == sample->call.slot &&
	       !memcmp(&held->process, &sample->process, sizeof(held->process));
}

void held__drop(struct held_samples *held, const struct iotrace_stack_sample *sample)
{
	size_t kept = 0;

	for (size_t i = 0; i < held->nr; i++) {
		if (same_calls(&held->list[i], sample))
			free(held->list[i].chain);
		else
			held->list[kept++] = held->list[i];
	}
	held->nr = kept;
}

void held__free(struct held_samples *held)
{
	for (size_t i = 0; i < held->nr; i++)
		free(held->list[i].chain);
	free(held->list);
	memset(held, 0, sizeof(*held));
}
