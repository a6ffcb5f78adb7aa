/* SPDX-License-Identifier: GPL-2.0 */
/* Counts calls by file. */
#pragma once

#include "file_cache.bpf.h"
#include "cells.bpf.h"
#include "switches.bpf.h"

/* An argument of the call; ia32 has them in other registers. */
static __always_inline u64 call_arg(struct pt_regs *regs, u32 slot, u32 n)
{
	bool compat = slot & SLOT_COMPAT;

	switch (n) {
	case 0:
		return compat ? (u32)regs->bx : regs->di;
	case 1:
		return compat ? (u32)regs->cx : regs->si;
	case 2:
		return compat ? (u32)regs->dx : regs->dx;
	case 3:
		return compat ? (u32)regs->si : regs->r10;
	case 4:
		return compat ? (u32)regs->di : regs->r8;
	}
	return compat ? (u32)regs->bp : regs->r9;
}

static __always_inline u32 file_call_of(u32 slot)
{
	return slot >> SLOT_CALL_SHIFT & SLOT_CALL_MASK;
}

/* Is the last byte of this write to be read? */
static __always_inline bool looks_now(struct iotrace_task_files *files)
{
	struct iotrace_file_way *way = &files->ways[files->way % FILE_WAYS];

	if (way->skips) {
		way->skips--;
		return false;
	}
	if (way->looks < LOOKS_FIRST)
		way->looks++;
	else
		way->skips = bpf_get_prandom_u32() % (2 * LOOK_EVERY - 1);
	return true;
}

/* Reads the last byte that was written. The kernel has just read it, so its page is present. */
static __always_inline void look_at_end(struct iotrace_file_cell *cell,
					struct iotrace_task_files *files, struct pt_regs *regs,
					u32 slot, u64 bytes)
{
	u32 fd_arg = slot >> SLOT_FD_SHIFT & SLOT_FD_MASK, call = file_call_of(slot);
	u64 buffer = call_arg(regs, slot, fd_arg);
	u64 nr = call_arg(regs, slot, fd_arg + 1);
	char last;

	if (call != FILE_CALL_WRITEV && call != FILE_CALL_PWRITEV) {
		cell->measured++;
		cell->cut_short += bytes < nr;
	}
	if (!looks_now(files))
		return;
	if (call == FILE_CALL_WRITEV || call == FILE_CALL_PWRITEV) {
		u64 vector[2];

		nr = (u32)nr;
		if (slot & SLOT_COMPAT || !nr ||
		    bpf_probe_read_user(vector, sizeof(vector),
					(void *)(buffer + (nr - 1) * sizeof(vector))))
			return;
		buffer = vector[0];
		bytes = vector[1];
		if (!bytes)
			return;
	}
	if (bpf_probe_read_user(&last, 1, (void *)(buffer + bytes - 1)))
		return;
	cell->last_byte_known++;
	cell->newlines += last == '\n';
}

/* Did the write begin where the previous one ended? */
static __always_inline void follow_position(struct iotrace_file_cell *cell,
					    struct iotrace_task_files *files, u32 call, u64 bytes)
{
	struct iotrace_file_way *way = &files->ways[files->way % FILE_WAYS];

	if (!(files->row & ROW_POSITIONED))
		return;
	if (way->flags & FILE_O_APPEND) {
		cell->positioned++;
		cell->sequential++;
		return;
	}
	if (files->position == ~0ULL) {
		way->end = ~0ULL;
		return;
	}
	if (way->end != ~0ULL) {
		cell->positioned++;
		/* Who writes at the file's own position follows whoever wrote there last. */
		cell->sequential += files->position == way->end ||
				    (call <= FILE_CALL_WRITEV && files->position > way->end);
	}
	way->end = files->position + bytes;
}

/*
 * Did the task sleep, or read from the file, since its write before? Or did a pipe bring it less
 * than it asked for?
 */
static __always_inline void follow_runs(struct iotrace_file_cell *cell, struct iotrace_task *state,
					const struct task_struct *task, struct pt_regs *regs,
					u32 slot, u64 bytes)
{
	struct iotrace_file_way *way = &state->files.ways[state->files.way % FILE_WAYS];
	u32 fd_arg = slot >> SLOT_FD_SHIFT & SLOT_FD_MASK, less;

	if (slot & SLOT_READS) {
		way->written = 0;
		if (file_call_of(slot) != FILE_CALL_READ)
			return;
		less = bytes < call_arg(regs, slot, fd_arg + 1);
		cell->measured++;
		cell->cut_short += less;
		if (state->files.row & ROW_PIPE)
			state->files.short_reads += less;
		return;
	}
	cell->runs += differs(way->written, state->nvcsw + 1);
	way->written = task->nvcsw + 1;
	cell->passed_on += differs(way->passed, state->files.short_reads);
	way->passed = state->files.short_reads;
}

/* Does this opening empty the file, or did it have to make it? */
static __always_inline bool begins_anew(struct pt_regs *regs, u32 slot)
{
	u64 flags = 0;

	switch (file_call_of(slot)) {
	case FILE_CALL_CREAT:
		return true;
	case FILE_CALL_OPEN:
		flags = call_arg(regs, slot, 1);
		break;
	case FILE_CALL_OPENAT:
		flags = call_arg(regs, slot, 2);
		break;
	case FILE_CALL_OPENAT2:
		bpf_probe_read_user(&flags, sizeof(flags), (void *)call_arg(regs, slot, 2));
		break;
	}
	return flags & FILE_O_ANEW;
}

/*
 * Counts a call for the file's user. The first call is added at once, so that the user is known;
 * the following ones are added in large groups, which costs little. The users of a file without a
 * way are counted elsewhere.
 */
static __always_inline void count_use(struct iotrace_task_files *files)
{
	struct iotrace_file_way *way = &files->ways[files->way % FILE_WAYS];

	if ((way->row & ROW_MASK) != (files->row & ROW_MASK))
		return;
	if (++way->calls > way->untold) {
		flush_way(files, way);
		way->untold = FILE_CALLS_UNTOLD;
	}
}

/* This CPU's cell of a syscall on the file of the call; NULL if there is none. */
static __always_inline struct iotrace_file_cell *file_cell(struct iotrace_task_files *files,
							   u32 slot)
{
	struct iotrace_file_way *way = &files->ways[files->way % FILE_WAYS];
	u64 key =
		FILE_CELL_KEY(files->row & ROW_MASK, bpf_get_smp_processor_id(), slot & SLOT_MASK);
	u32 which = slot & SLOT_READS ? 1 : 0, number;

	if (way->cell_keys[which] != key) {
		way->cells[which] = cell_number(key);
		way->cell_keys[which] = key;
	}
	number = way->cells[which];
	if (number)
		return bpf_map_lookup_elem(&file_cells, &number);
	__sync_fetch_and_add(&misplaced_calls, 1);
	return NULL;
}

static __always_inline void count_file_call(const struct task_struct *task,
					    struct iotrace_task *state, struct pt_regs *regs,
					    u32 slot, long ret, bool timed, u64 ns, u32 switched)
{
	u32 call = file_call_of(slot), bucket;
	struct iotrace_file_cell *cell;

	if ((state->files.row & ROW_MASK) == ROW_OTHER)
		return;
	cell = file_cell(&state->files, slot);
	if (!cell)
		return;
	cell->calls++;
	count_use(&state->files);
	if (timed) {
		cell->total_ns += ns;
		cell->waits += switched & CALL_WAITED;
		cell->wait_ns += (switched & CALL_WAITED) * ns;
		cell->preempted += switched / CALL_PREEMPTED;
		bucket = file_latency_bucket(ns);
		barrier_var(bucket); /* the verifier must check the bounds of this value */
		if (bucket < FILE_LATENCY_BUCKETS)
			cell->latency[bucket]++;
	}
	if ((unsigned long)ret >= (unsigned long)-MAX_ERRNO) {
		cell->errors++;
		if (timed)
			cell->error_ns += ns;
	} else if (call >= FILE_CALL_OPEN) {
		cell->anew += begins_anew(regs, slot);
	} else if (slot & SLOT_TRANSFERS) {
		cell->bytes += ret;
		bucket = size_bucket(ret);
		barrier_var(bucket);
		if (bucket < SIZE_BUCKETS)
			cell->sizes[bucket]++;
		if (ret > 0)
			follow_runs(cell, state, task, regs, slot, ret);
		if (call >= FILE_CALL_WRITE && ret > 0) {
			follow_position(cell, &state->files, call, ret);
			look_at_end(cell, &state->files, regs, slot, ret);
			cell->written_by |= written_by(call_arg(regs, slot, 0));
		}
	}
}
