/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Room for the figures of calls by file: each CPU has a cell for each syscall on each file. Some
 * cells are there from the start, and a call finds its own by a number that its task remembers. How
 * many a run needs is not known before: the others are made as they are needed, and looked up by
 * each call.
 */
#pragma once

#include "kernel/kernel.bpf.h"

const volatile u32 cfg_end_cell = 1; /* Numbers from 1 to below this are handed out. */
u32 next_cell = 1;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_file_cell);
} file_cells SEC(".maps");

/* The number of the cell with this key. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, u32);
} file_cell_numbers SEC(".maps");

/*
 * The cells beyond the first ones. Where the kernel can allocate memory in a probe at any time,
 * since Linux 6.1 (kernel/bpf/memalloc.c), they take memory only as they are made.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, struct iotrace_file_cell);
} more_file_cells SEC(".maps");

static const struct iotrace_file_cell no_calls = {};

/* Finds or makes the cell of a key that has no number. NULL: there is no room left. */
static __always_inline struct iotrace_file_cell *more_cell(u64 key)
{
	struct iotrace_file_cell *cell = bpf_map_lookup_elem(&more_file_cells, &key);

	if (cell)
		return cell;
	bpf_map_update_elem(&more_file_cells, &key, &no_calls, BPF_NOEXIST);
	cell = bpf_map_lookup_elem(&more_file_cells, &key);
	if (cell)
		cell->key = key;
	return cell;
}

/* Finds or makes the cell of a key. Returns its number, or 0 if it has none. */
__noinline u32 cell_number(u64 key)
{
	u32 *known = bpf_map_lookup_elem(&file_cell_numbers, &key), number;
	struct iotrace_file_cell *cell;

	if (known)
		return *known;
	if (next_cell >= cfg_end_cell)
		return 0;
	number = __sync_fetch_and_add(&next_cell, 1);
	cell = number < cfg_end_cell ? bpf_map_lookup_elem(&file_cells, &number) : NULL;
	if (!cell || bpf_map_update_elem(&file_cell_numbers, &key, &number, BPF_NOEXIST))
		return 0;
	cell->key = key;
	return number;
}
