/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls of tasks outside iotrace's PID namespace, which its iterators cannot read: they are
 * counted in cells when they begin and end, and those of other tasks in their states.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/cells.bpf.h"
#include "cells/slots.bpf.h"
#include "cells/totals.bpf.h"
#include "tasks/pid_namespace.bpf.h"

static __always_inline bool is_outside(const struct iotrace_task *state, bool match_per_call)
{
	return match_per_call && cfg_pid_namespace && state->flags & TASK_OUTSIDE;
}

/* Counts calls of outside tasks, see is_outside(), that begin or end. */
__noinline int count_outside(u32 slot, u32 entered, u32 left)
{
	u32 index = slot & SLOT_MASK;
	struct iotrace_cell *cell = bpf_map_lookup_elem(&cells, &index);

	if (cell) {
		cell->outside_entered += entered;
		cell->outside_left += left;
	}
	return 0;
}

/*
 * Counts the beginning of a call: in the state of the task, or, if no iterator can read that, in
 * the cell.
 */
static __always_inline void count_entry(struct iotrace_task *state, u32 slot, bool match_per_call)
{
	if (is_outside(state, match_per_call))
		count_outside(slot, 1, 0);
	else
		state->entered++;
}

/*
 * Counts the beginning of a call at its return, if it was not seen before or not known to be
 * wanted.
 */
static __always_inline void count_late_entry(struct iotrace_task *state, bool match_per_call)
{
	if (is_outside(state, match_per_call))
		__sync_fetch_and_add(&ended_entered, 1);
	else
		state->entered++;
}

/* Counts the end of the call that an outside task is in, if that call is counted. */
static __always_inline void leave_outside(struct iotrace_task *state)
{
	if (counted(state->slot))
		count_outside(state->slot, 0, 1);
}
