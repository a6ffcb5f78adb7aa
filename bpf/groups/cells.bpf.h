/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cells of groups: each CPU has one for each syscall of each group. Some are there from the
 * start, and user space adds arrays of more as they are used up (load/added_cells.h): so a call
 * finds its cell by a number that its task remembers. What is needed faster than that is in a hash,
 * and looked up by each call.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "tasks/states.bpf.h"

/* So many cells are there from the start. Number 0 stands for none. */
const volatile u32 cfg_first_group_cells = 1;
u32 end_group_cell = 1;	 /* The number of all cells. User space adds to it. */
u32 next_group_cell = 1; /* The number of those that are in use. */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_group_cell);
} group_cells SEC(".maps");

struct added_group_cells {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, GROUP_CELLS_ADDED);
	__type(key, u32);
	__type(value, struct iotrace_group_cell);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__array(values, struct added_group_cells);
} group_cell_arrays SEC(".maps");

/* It becomes readable when another array is needed. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} group_cells_left SEC(".maps");

/* The number of the cell with this key. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, u32);
} group_cell_numbers SEC(".maps");

/* The cells that have no number. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, struct iotrace_group_cell);
} more_group_cells SEC(".maps");

/* It is no static constant, so that it is in all objects of the probes: they have one layout. */
const volatile struct iotrace_group_cell no_group_calls = {};

/*
 * NULL: there is no such number. To compare it first would cost more: the compiler would then make
 * one look-up of two, which the kernel could not replace by instructions (do_misc_fixups() in
 * kernel/bpf/verifier.c).
 */
static __always_inline struct iotrace_group_cell *numbered_group_cell(u32 number)
{
	struct iotrace_group_cell *first = bpf_map_lookup_elem(&group_cells, &number);
	u32 array = number / GROUP_CELLS_ADDED, index = number % GROUP_CELLS_ADDED;
	void *added;

	if (first)
		return first;
	added = bpf_map_lookup_elem(&group_cell_arrays, &array);
	return added ? bpf_map_lookup_elem(added, &index) : NULL;
}

/* Finds or makes the cell of a key that has no number. NULL: there is no room left. */
static __always_inline struct iotrace_group_cell *more_group_cell(u64 key)
{
	struct iotrace_group_cell *cell = bpf_map_lookup_elem(&more_group_cells, &key);

	if (cell)
		return cell;
	bpf_map_update_elem(&more_group_cells, &key, (void *)&no_group_calls, BPF_NOEXIST);
	cell = bpf_map_lookup_elem(&more_group_cells, &key);
	if (cell)
		cell->key = key;
	return cell;
}

/* Finds or makes the cell of a key. Returns its number, or 0 if it has none. */
static __always_inline u32 group_cell_number(u64 key)
{
	u32 *known = bpf_map_lookup_elem(&group_cell_numbers, &key), number;
	struct iotrace_group_cell *cell;

	if (known)
		return *known;
	if (next_group_cell >= end_group_cell)
		return 0;
	number = __sync_fetch_and_add(&next_group_cell, 1);
	/* Each number is handed out once. */
	if (end_group_cell - number == GROUP_CELLS_LEFT)
		bpf_ringbuf_output(&group_cells_left, &number, sizeof(number), 0);
	if (number >= end_group_cell)
		return 0;
	if (number >= cfg_first_group_cells)
		number += GROUP_CELL_FIRST_ADDED - cfg_first_group_cells;
	cell = numbered_group_cell(number);
	if (!cell || bpf_map_update_elem(&group_cell_numbers, &key, &number, BPF_NOEXIST))
		return 0;
	cell->key = key;
	return number;
}

/* Finds the cell of a place for the current task's group, and remembers it. */
__noinline int find_group_cell(const struct iotrace_task *state, u32 place)
{
	struct iotrace_task_group *own = state ? group_of(state->number) : NULL;
	u32 i = place % GROUP_CACHE_ENTRIES;

	if (!own)
		return 0;
	own->known[i].number = group_cell_number(GROUP_CELL_KEY(state->group, place));
	own->known[i].place = place;
	return 0;
}

/* Has the call that begins the same cell as the latest one? */
static __always_inline bool is_same_place(const struct iotrace_task *state, u32 slot)
{
	return state->place == GROUP_PLACE(bpf_get_smp_processor_id(), slot & SLOT_MASK);
}

/* Notes in the state of the current task the cell of its call. */
static __always_inline void remember_group_cell(struct iotrace_task *state,
						const struct iotrace_task_group *own, u32 slot)
{
	u32 place = GROUP_PLACE(bpf_get_smp_processor_id(), slot & SLOT_MASK);
	u32 i = place % GROUP_CACHE_ENTRIES;

	if (own->known[i].place != place)
		find_group_cell(state, place);
	state->place = place;
	state->group_cell = own->known[i].number;
}

/* The call returns on another CPU than it began on, or its beginning was not seen. */
__noinline int move_group_cell(struct iotrace_task *state, u32 slot)
{
	const struct iotrace_task_group *own = state ? group_of(state->number) : NULL;

	if (own)
		remember_group_cell(state, own, slot);
	return 0;
}

/* The cell of the call that returns. NULL: there is no room for it. */
static __always_inline struct iotrace_group_cell *group_cell(struct iotrace_task *state, u32 slot)
{
	u32 place = GROUP_PLACE(bpf_get_smp_processor_id(), slot & SLOT_MASK), cell;

	if (state->place != place)
		move_group_cell(state, slot);
	cell = state->group_cell;
	return cell ? numbered_group_cell(cell)
		    : more_group_cell(GROUP_CELL_KEY(state->group, place));
}
