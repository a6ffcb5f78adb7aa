/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cells of syscalls. Each CPU has a cell of its own for each slot, which one probe at a time
 * writes to, so the cells need no atomics.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/slots.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_cell);
} cells SEC(".maps");

/*
 * A call has lost the CPU: counts it among those that were preempted. Returns the slot of its cell,
 * which is another one if it slept.
 */
__noinline u32 switched_slot(u32 slot, u32 slept, u32 preempted)
{
	u32 index = slept ? wait_slot(slot) : slot;
	struct iotrace_cell *cell = bpf_map_lookup_elem(&cells, &index);

	if (cell && preempted)
		cell->counts.preempted++;
	return index;
}
