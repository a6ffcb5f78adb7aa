/* SPDX-License-Identifier: GPL-2.0 */
/* What a call that has returned adds to a cell, be it of a syscall or of a group. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/buckets.bpf.h"
#include "cells/totals.bpf.h"

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
__noinline int count_errno(u32 slot, u32 err, u32 group)
{
	struct iotrace_errno_key key = { .slot = slot, .err = err, .group = group };
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
	bool of_program;      /* It is counted among those of the task's program. */
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

static __always_inline void add_time(struct iotrace_counts *counts, const struct outcome *o)
{
	if (is_timed(o)) {
		counts->total_ns += o->ns;
		if (cfg.cpu)
			counts->cpu_ns += o->cpu_ns;
		if (o->ns > counts->max_ns)
			counts->max_ns = o->ns;
		if (~o->ns > counts->inverse_min_ns)
			counts->inverse_min_ns = ~o->ns;
	} else if (cfg.latency && !o->late) {
		counts->estimated++;
	} else {
		counts->untimed++;
	}
}

/*
 * Adds an error, or the bytes that the call moved, whose bucket the state of the task has if there
 * are files.
 */
static __always_inline void add_result(struct iotrace_counts *counts, u64 *sizes,
				       const struct iotrace_task *state, u32 slot, u32 group,
				       const struct outcome *o, bool files)
{
	u32 number = slot & SLOT_MASK, bucket;

	if (o->failed) {
		counts->errors++;
		if (number < SLOT_FIRST + MAX_SLOTS && first_errnos[number] == (u32)-o->ret)
			counts->first_errors++;
		else
			count_errno(number, -o->ret, group);
	} else if (slot & SLOT_TRANSFERS) {
		counts->bytes += o->ret;
		bucket = files ? state->size : size_bucket_of(o->ret);
		barrier_var(bucket);
		if (bucket < SIZE_BUCKETS)
			sizes[bucket]++;
	}
}
