/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the slot of a call, which says where the call is counted and what its arguments are. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/totals.bpf.h"

/*
 * The key of calls without an entry in slots[]. Its size is a power of two: keys need no
 * comparison.
 */
#define NO_KEY 4095
_Static_assert(NR_CALLS <= NO_KEY, "calls have other keys");

const volatile u32 cfg_nr_slots = SLOT_FIRST;

/* The slot of each call. User space fills it; if slots are scarce, the probes hand them out. */
u32 slots[NO_KEY + 1];
u32 next_slot = SLOT_FIRST;
u32 wait_slots[SLOT_FIRST + MAX_SLOTS]; /* By slot, the one for its calls that wait. 0: none yet. */
u32 waits_without_slot; /* Calls that waited found none, and are counted among the others. */

/*
 * The index into slots[] of a call; NO_KEY, whose entry is SLOT_UNWANTED, for numbers beyond the
 * table.
 */
static __always_inline u32 call_key(struct task_struct *task, u64 id)
{
	/* Without branches, of which the verifier would follow all ways to the end. */
	u32 compat = task->thread_info.status / TS_COMPAT & 1;
	u32 x32 = (u32)id / X32_SYSCALL_BIT & 1 & ~compat;
	u32 nr = (u32)id - x32 * X32_SYSCALL_BIT;
	u32 key = CALL_INDEX(compat * ABI_32 + x32 * ABI_X32, nr);

	return (key | -iotrace_above(nr, MAX_SYSCALL_NR - 1)) & NO_KEY;
}

/*
 * The key of a call that begins. The processor guesses that it is a native one, and need not wait
 * for the task's status before it looks up the slot; and through memory, the verifier does not
 * follow both ways to the end.
 */
static __always_inline u32 begun_key(struct iotrace_task *state, struct task_struct *task, u64 id)
{
	if (task->thread_info.status & TS_COMPAT || id >= MAX_SYSCALL_NR)
		state->key = call_key(task, id);
	else
		state->key = id;
	barrier();
	return state->key & NO_KEY;
}

/*
 * Hands out a slot at the first use of a call. Returns 0 if the call is not wanted, or, which it
 * counts as a loss, if no slot is left.
 */
__noinline u32 new_slot(u32 key)
{
	u32 old, slot;

	if (key >= NO_KEY)
		return 0;
	old = slots[key];
	if (old < SLOT_WANTED)
		return 0;
	if (old & SLOT_READY)
		return old;
	slot = __sync_fetch_and_add(&next_slot, 1);
	if (slot >= cfg_nr_slots) {
		__sync_fetch_and_add(&lost_calls, 1);
		return 0;
	}
	slot |= (old & ~SLOT_MASK) | SLOT_READY;
	/* If another CPU was quicker, its slot is valid and this one stays unused. */
	old = __sync_val_compare_and_swap(&slots[key], old, slot);
	return old & SLOT_READY ? old : slot;
}

/* The slot of a call, handed out at its first use. 0: there is none. */
static __always_inline u32 slot_for(u32 key)
{
	u32 slot = slots[key];

	return slot & SLOT_READY ? slot : new_slot(key);
}

/* The slot of the calls that wait, which is handed out at the first of them. */
static __always_inline u32 wait_slot(u32 slot)
{
	u32 waiting, old;

	if (slot >= SLOT_FIRST + MAX_SLOTS)
		return slot;
	waiting = wait_slots[slot];
	if (waiting)
		return waiting;
	waiting = __sync_fetch_and_add(&next_slot, 1);
	if (waiting >= cfg_nr_slots) {
		waits_without_slot = 1;
		return slot;
	}
	old = __sync_val_compare_and_swap(&wait_slots[slot], 0, waiting);
	return old ?: waiting;
}

/* Is this execve, which opens the window when it succeeds? */
static __always_inline bool is_exec(u32 key)
{
	return slots[key] == SLOT_LOOK || slots[key] & SLOT_EXECS;
}

/* Is a call filtered because its file is not wanted, or not known to be before it returns? */
static __always_inline bool slot_filtered(u32 slot)
{
	return slot & SLOT_FILTERED;
}

/* The slot of a call that is counted. 0: it is filtered, or there is none. */
static __always_inline u32 counted(u32 slot)
{
	return slot_filtered(slot) ? 0 : slot;
}
