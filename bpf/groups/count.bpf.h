/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts calls by syscall, and with --by by group. What the cell of a group counts, that of the
 * syscall does not, but for the latencies, which it has in finer buckets: so the groups add up to
 * the whole, and a call with a group costs little more than one without. A call that finds no cell
 * of a group is counted by syscall alone, and is (other)'s.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/buckets.bpf.h"
#include "cells/cells.bpf.h"
#include "cells/counts.bpf.h"
#include "cells/slots.bpf.h"
#include "groups/cells.bpf.h"

/* With files, the state of a task has whether its call lost the CPU. */
static __always_inline u32 has_slept(const struct iotrace_task *state, const struct outcome *o,
				     bool files)
{
	return files ? state->slept : o->slept;
}

static __always_inline u32 was_preempted(const struct iotrace_task *state, const struct outcome *o,
					 bool files)
{
	return files ? state->preempted : o->preempted;
}

static __always_inline void add_to_group(struct iotrace_group_cell *cell,
					 const struct iotrace_task *state, u32 slot,
					 const struct outcome *o, u32 latency, bool files)
{
	if (is_timed(o)) {
		latency /= LATENCY_SUB;
		barrier_var(latency); /* The verifier must check the bounds of this value. */
		if (latency < FILE_LATENCY_BUCKETS)
			cell->latency[latency]++;
	}
	if (cfg.latency && was_preempted(state, o, files))
		cell->counts.preempted++;
	if (cfg.latency && has_slept(state, o, files)) {
		if (is_timed(o)) {
			cell->waits++;
			cell->wait_ns += o->ns;
			if (slot & SLOT_IDLES)
				cell->counts.idle_ns += o->ns;
		} else if (!o->late) {
			cell->estimated_waits++;
		}
	}
	add_time(&cell->counts, o);
	add_result(&cell->counts, cell->sizes, state, slot, state->group, o, files);
}

/* Counts among the calls of a syscall one with a latency that found no cell of a group. */
__noinline int count_ungrouped(u32 slot, u32 slept)
{
	u32 index = cfg.latency && slept ? wait_slot(slot) : slot;
	struct iotrace_cell *cell = bpf_map_lookup_elem(&cells, &index);

	if (cell)
		cell->ungrouped++;
	return 0;
}

/* Adds a call to the cell of its group, and its latency to its syscall's. False: it has no cell. */
static __always_inline bool count_in_group(struct iotrace_task *state, u32 slot,
					   const struct outcome *o, bool files)
{
	struct iotrace_group_cell *group = group_cell(state, slot);
	u32 index = slot & SLOT_MASK, slept = has_slept(state, o, files), bucket = 0;
	struct iotrace_cell *cell;

	if (!group) {
		if (is_timed(o))
			count_ungrouped(index, slept);
		return false;
	}
	if (is_timed(o)) {
		bucket = files ? state->latency : latency_bucket_of(o->ns);
		if (slept)
			index = wait_slot(index);
		cell = bpf_map_lookup_elem(&cells, &index);
		barrier_var(bucket);
		if (cell && bucket < LATENCY_BUCKETS)
			cell->latency[bucket]++;
	}
	add_to_group(group, state, slot, o, bucket, files);
	return true;
}

/* Adds one returned call of the current task to its cells. */
static __always_inline void count_call(struct iotrace_task *state, u32 slot,
				       const struct outcome *o, bool files)
{
	u32 index = slot & SLOT_MASK, bucket;
	struct iotrace_cell *cell;

	if (cfg_groups && count_in_group(state, slot, o, files))
		return;
	if (cfg.latency && has_slept(state, o, files) | was_preempted(state, o, files))
		index = switched_slot(index, has_slept(state, o, files),
				      was_preempted(state, o, files));
	cell = bpf_map_lookup_elem(&cells, &index);
	if (!cell)
		return;
	if (is_timed(o)) {
		bucket = files ? state->latency : latency_bucket_of(o->ns);
		barrier_var(bucket);
		if (bucket < LATENCY_BUCKETS)
			cell->latency[bucket]++;
	}
	add_time(&cell->counts, o);
	if (slot & SLOT_IDLES && has_slept(state, o, files) && is_timed(o))
		cell->counts.idle_ns += o->ns;
	add_result(&cell->counts, cell->sizes, state, slot, GROUP_NONE, o, files);
}
