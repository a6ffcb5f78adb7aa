/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts calls by syscall. Each CPU has a cell of its own for each slot, which one probe at a time
 * writes to, so the cells need no atomics.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/buckets.bpf.h"
#include "cells/slots.bpf.h"
#include "cells/totals.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_cell);
} cells SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_errno_key);
	__type(value, u64);
} errnos SEC(".maps");

/*
 * By slot, the errno that was seen first, which most of its errors have. It stays, so that calls
 * with it are counted in the cells. 0: none yet.
 */
u32 first_errnos[SLOT_FIRST + MAX_SLOTS];

/* Counts an errno that is not the slot's first, or that no slot's first is known to be yet. */
__noinline int count_errno(u32 slot, u32 err)
{
	struct iotrace_errno_key key = { .slot = slot, .err = err };
	u64 zero = 0, *count;

	if (slot < SLOT_FIRST + MAX_SLOTS && !first_errnos[slot])
		__sync_val_compare_and_swap(&first_errnos[slot], 0, err);
	count = bpf_map_lookup_elem(&errnos, &key);
	if (!count) {
		/* If another CPU made it first, it exists all the same. */
		bpf_map_update_elem(&errnos, &key, &zero, BPF_NOEXIST);
		count = bpf_map_lookup_elem(&errnos, &key);
	}
	if (count)
		*count += 1;
	else
		__sync_fetch_and_add(&lost_errnos, 1);
	return 0;
}

/* How a call ended. */
struct outcome {
	long ret;
	bool failed;
	bool late;	      /* Its beginning was not seen. */
	u32 slept, preempted; /* 0: it did not sleep, or was not preempted. */
	u64 ns;		      /* Its time. ~0: it is not known, as the clock was not read. */
	u64 cpu_ns;
};

static __always_inline bool is_timed(const struct outcome *o)
{
	return cfg.latency && !o->late && !(cfg.sample && !~o->ns);
}

static __always_inline bool is_error(long ret)
{
	return (unsigned long)ret >= (unsigned long)-MAX_ERRNO;
}

/*
 * A call has lost the CPU: counts it among those that were preempted. Returns the slot of its cell,
 * which is another one if it slept.
 */
__noinline u32 switched_slot(u32 slot, u32 slept, u32 preempted)
{
	u32 index = slept ? wait_slot(slot) : slot;
	struct iotrace_cell *cell = bpf_map_lookup_elem(&cells, &index);

	if (cell && preempted)
		cell->preempted++;
	return index;
}

/*
 * Adds one returned call to its cell. With files, the state of its task has its buckets, and
 * whether it lost the CPU.
 */
static __always_inline void count_call(const struct iotrace_task *state, u32 slot,
				       const struct outcome *o, bool files)
{
	u32 number = slot & SLOT_MASK, index = number, bucket;
	struct iotrace_cell *cell;

	if (cfg.latency && (files ? state->slept | state->preempted : o->slept | o->preempted))
		index = switched_slot(number, files ? state->slept : o->slept,
				      files ? state->preempted : o->preempted);
	cell = bpf_map_lookup_elem(&cells, &index);
	if (!cell)
		return;
	if (is_timed(o)) {
		cell->total_ns += o->ns;
		if (cfg.cpu)
			cell->cpu_ns += o->cpu_ns;
		if (o->ns > cell->max_ns)
			cell->max_ns = o->ns;
		if (~o->ns > cell->inverse_min_ns)
			cell->inverse_min_ns = ~o->ns;
		bucket = files ? state->latency : latency_bucket_of(o->ns);
		barrier_var(bucket);
		if (bucket < LATENCY_BUCKETS)
			cell->latency[bucket]++;
	} else if (cfg.latency && !o->late) {
		cell->estimated++;
	} else {
		cell->untimed++;
	}
	if (o->failed) {
		cell->errors++;
		if (number < SLOT_FIRST + MAX_SLOTS && first_errnos[number] == (u32)-o->ret)
			cell->first_errors++;
		else
			count_errno(number, -o->ret);
	} else if (slot & SLOT_TRANSFERS) {
		cell->bytes += o->ret;
		bucket = files ? state->size : size_bucket_of(o->ret);
		barrier_var(bucket);
		if (bucket < SIZE_BUCKETS)
			cell->sizes[bucket]++;
	}
}
