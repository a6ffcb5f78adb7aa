/* SPDX-License-Identifier: GPL-2.0 */
/* Counts calls by file. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/cells.bpf.h"
#include "cells/counts.bpf.h"
#include "cells/switches.bpf.h"
#include "cells/totals.bpf.h"
#include "stacks/samples.bpf.h"
#include "tasks/states.bpf.h"
#include "files/cells.bpf.h"
#include "files/nagle.bpf.h"
#include "files/users.bpf.h"

/* Argument 0 of the call, and below 1 and 2. ia32 has them in other registers. */
static __always_inline u32 descriptor_arg(const struct pt_regs *regs, u32 slot)
{
	return slot & SLOT_COMPAT ? regs->bx : regs->di;
}

static __always_inline u64 buffer_arg(const struct pt_regs *regs, u32 slot)
{
	return slot & SLOT_COMPAT ? (u32)regs->cx : regs->si;
}

static __always_inline u64 length_arg(const struct pt_regs *regs, u32 slot)
{
	u64 length = regs->dx;

	return slot & SLOT_COMPAT ? (u32)length : length;
}

static __always_inline u32 file_call_of(u32 slot)
{
	return slot >> SLOT_CALL_SHIFT & SLOT_CALL_MASK;
}

/* Is the last byte of this write to be read? */
static __always_inline bool samples_byte(struct iotrace_task_files *files,
					 struct iotrace_file_cache_entry *entry)
{
	if (entry->calls_to_skip) {
		entry->calls_to_skip--;
		return false;
	}
	if (entry->byte_samples < BYTE_SAMPLES_FIRST)
		entry->byte_samples++;
	else
		entry->calls_to_skip = (2 * BYTE_SAMPLE_EVERY - 1) * random_16(files) >> 16;
	return true;
}

/*
 * The last byte that a call of the current task has written, from a buffer or nr vectors. -1: it
 * cannot be read. The kernel has just read it, so its page is present.
 */
__noinline int last_byte(u32 slot, u64 buffer, u32 nr, u64 bytes)
{
	u32 call = file_call_of(slot);
	u64 vector[2];
	u8 last;

	if (call == FILE_CALL_WRITEV || call == FILE_CALL_PWRITEV) {
		if (slot & SLOT_COMPAT || !nr ||
		    bpf_probe_read_user(vector, sizeof(vector),
					(void *)(buffer + (u64)(nr - 1) * sizeof(vector))) ||
		    !vector[1])
			return -1;
		buffer = vector[0];
		bytes = vector[1];
	}
	return bpf_probe_read_user(&last, 1, (void *)(buffer + bytes - 1)) ? -1 : last;
}

static __always_inline void look_at_end(struct iotrace_file_cell *cell,
					struct iotrace_task_files *files,
					struct iotrace_file_cache_entry *entry,
					const struct pt_regs *regs, u32 slot, u64 bytes)
{
	int last;

	if (!samples_byte(files, entry))
		return;
	last = last_byte(slot, buffer_arg(regs, slot), regs->dx, bytes);
	cell->last_byte_known += last >= 0;
	cell->newlines += last == '\n';
}

/* Did the call move less than it was asked to? */
static __always_inline u32 measure(struct iotrace_file_cell *cell, const struct pt_regs *regs,
				   u32 slot, u64 bytes)
{
	u32 call = file_call_of(slot), less;

	if (call != FILE_CALL_READ && call != FILE_CALL_PREAD && call != FILE_CALL_WRITE &&
	    call != FILE_CALL_PWRITE)
		return 0;
	less = bytes < length_arg(regs, slot);
	cell->measured++;
	if (less)
		cell->cut_short++;
	return less;
}

/* Did the write, or the read at a position, begin where the previous one ended? */
static __always_inline void follow_position(struct iotrace_file_cell *cell,
					    const struct iotrace_task_files *files,
					    struct iotrace_file_cache_entry *entry, u32 call,
					    u64 bytes)
{
	if (!(files->row & ROW_POSITIONED))
		return;
	if (entry->flags & FILE_O_APPEND) {
		cell->positioned++;
		cell->sequential++;
		return;
	}
	if (files->position == ~0ULL) {
		entry->end = ~0ULL;
		return;
	}
	if (entry->end != ~0ULL) {
		cell->positioned++;
		/* Who writes at the file's own position follows whoever wrote there last. */
		cell->sequential += files->position == entry->end ||
				    (call <= FILE_CALL_WRITEV && files->position > entry->end);
	}
	entry->end = files->position + bytes;
}

/*
 * Did the task sleep, or read from the file, or from any pipe or socket, since its write before? Or
 * did a pipe bring it less than it asked for?
 */
static __always_inline void follow_runs(struct iotrace_file_cell *cell,
					const struct iotrace_task *state,
					struct iotrace_task_files *files,
					struct iotrace_file_cache_entry *entry, u32 slot, u32 less)
{
	if (slot & SLOT_READS) {
		entry->written = 0;
		if (files->row & ROW_PIPE)
			files->short_reads += less;
		if (files->row & (ROW_PIPE | ROW_SOCKET))
			files->heard++;
		return;
	}
	if (entry->written != state->nvcsw + files->heard + 1)
		cell->runs++;
	entry->written = nvcsw_at_return(state) + files->heard + 1;
	if (entry->passed != files->short_reads) {
		cell->passed_on++;
		entry->passed = files->short_reads;
	}
}

/*
 * Counts a call for the file's user. The first call is added at once, so that the user is known;
 * the following ones are added in large groups, which costs little. The users of a path are counted
 * by path_row(), and a descriptor that is not open has none.
 */
static __always_inline void count_use(struct iotrace_task_files *files,
				      struct iotrace_file_cache_entry *entry)
{
	u32 more;

	if ((entry->row ^ files->row) & ROW_MASK)
		return;
	if (++entry->calls > entry->unreported) {
		more = entry->calls + entry->calls / 2 + 3;
		entry->unreported = more < FILE_CALLS_UNREPORTED ? more : FILE_CALLS_UNREPORTED;
		flush_cache_entry(files, entry);
	}
}

/* The key of this CPU's cell of a syscall on the file of the call. */
static __always_inline u64 cell_key(const struct iotrace_task_files *files, u32 slot)
{
	return FILE_CELL_KEY(files->row & ROW_MASK, bpf_get_smp_processor_id(), slot & SLOT_MASK);
}

/* The number of that cell. 0: it has none. */
static __always_inline u32 own_cell(const struct iotrace_task_files *files,
				    struct iotrace_file_cache_entry *entry, u32 slot)
{
	u64 key = cell_key(files, slot);
	u32 which = slot & SLOT_READS ? 1 : 0;

	if (entry->cell_keys[which] != key) {
		entry->cells[which] = cell_number(key);
		entry->cell_keys[which] = key;
		entry->reported_fd = ~0;
	}
	return entry->cells[which];
}

/* Counts a call that has lost the CPU. */
static __always_inline void count_switched(struct iotrace_file_cell *cell,
					   const struct iotrace_task *state, u32 slot,
					   const struct outcome *o)
{
	if (state->preempted)
		cell->preempted++;
	if (!state->slept)
		return;
	if (is_timed(o)) {
		cell->waits++;
		cell->wait_ns += o->ns;
		if (slot & SLOT_IDLES)
			cell->idle_ns += o->ns;
	} else {
		cell->estimated_waits++;
	}
}

/* Adds a call to the cell of its file. */
static __always_inline void
add_to_cell(struct iotrace_file_cell *cell, const struct iotrace_task *state,
	    struct iotrace_task_files *files, struct iotrace_file_cache_entry *entry,
	    const struct pt_regs *regs, u32 slot, const struct outcome *o)
{
	u32 call = file_call_of(slot), bucket;

	cell->calls++;
	count_use(files, entry);
	if (cfg.latency && (state->slept | state->preempted))
		count_switched(cell, state, slot, o);
	if (is_timed(o)) {
		cell->total_ns += o->ns;
		bucket = state->latency / LATENCY_SUB;
		barrier_var(bucket); /* The verifier must check the bounds of this value. */
		if (bucket < FILE_LATENCY_BUCKETS)
			cell->latency[bucket]++;
	} else if (cfg.latency) {
		cell->estimated++;
	}
	if (o->failed) {
		cell->errors++;
		if (is_timed(o))
			cell->error_ns += o->ns;
		/* Who polls a pipe or a socket answers what comes there. */
		if (slot & SLOT_READS && files->row & (ROW_PIPE | ROW_SOCKET))
			files->heard++;
	} else if (call >= FILE_CALL_OPEN) {
		cell->anew += files->row / ROW_ANEW & 1;
	} else if (slot & SLOT_TRANSFERS) {
		cell->bytes += o->ret;
		bucket = state->size;
		barrier_var(bucket);
		if (bucket < SIZE_BUCKETS)
			cell->sizes[bucket]++;
		if (o->ret > 0)
			follow_runs(cell, state, files, entry, slot,
				    measure(cell, regs, slot, o->ret));
		if (call >= FILE_CALL_PREAD && o->ret > 0)
			follow_position(cell, files, entry, call, o->ret);
		if (call >= FILE_CALL_WRITE && o->ret > 0) {
			look_at_end(cell, files, entry, regs, slot, o->ret);
			if (entry->reported_fd != files->fd) {
				entry->reported_fd = files->fd;
				cell->written_by |= written_by(files->fd);
			}
		}
		if (entry->connection)
			follow_connection(cell, entry->connection, slot);
	}
	if (cfg_stacks && sample_is_due(cell))
		sample_call(cell, files, slot, o->ret, is_timed(o) ? o->ns : ~0ULL);
}

/*
 * Adds a call whose cell has no number. ns is ~0 if it is not timed. This is a function of its own,
 * so that it costs the other calls nothing.
 */
__noinline int count_in_more(const struct iotrace_task *state, struct iotrace_task_files *files,
			     u32 slot, long ret, u64 ns)
{
	struct outcome o = { .ret = ret, .failed = is_error(ret), .late = !~ns, .ns = ns };
	struct iotrace_file_cell *cell;
	struct iotrace_file_cache_entry *entry;

	if (!cfg_files || !state || !files)
		return 0;
	entry = &files->cache[files->cache_index % FILE_CACHE_ENTRIES];
	cell = more_cell(cell_key(files, slot));
	if (cell)
		add_to_cell(cell, state, files, entry, own_registers(), slot, &o);
	else
		__sync_fetch_and_add(&misplaced_calls, 1);
	return 0;
}

static __always_inline void count_file_call(const struct iotrace_task *state,
					    struct iotrace_task_files *files,
					    const struct pt_regs *regs, u32 slot,
					    const struct outcome *o)
{
	struct iotrace_file_cache_entry *entry =
		&files->cache[files->cache_index % FILE_CACHE_ENTRIES];
	struct iotrace_file_cell *cell;
	u32 number;

	if ((files->row & ROW_MASK) == ROW_OTHER) {
		if (files->row & ROW_NO_ROOM)
			__sync_fetch_and_add(&misplaced_calls, 1);
		return;
	}
	number = own_cell(files, entry, slot);
	if (!number) {
		count_in_more(state, files, slot, o->ret, is_timed(o) ? o->ns : ~0ULL);
		return;
	}
	cell = bpf_map_lookup_elem(&file_cells, &number);
	if (cell)
		add_to_cell(cell, state, files, entry, regs, slot, o);
}

/* Counts a call without a file in its cell of row 0, only to draw samples by it. */
__noinline int sample_without_file(struct iotrace_task_files *files, u32 slot, long ret, u64 ns)
{
	u64 key = FILE_CELL_KEY(ROW_NONE, bpf_get_smp_processor_id(), slot & SLOT_MASK);
	u32 number = cell_number(key);
	struct iotrace_file_cell *cell;

	if (!cfg_stacks || !files)
		return 0;
	cell = number ? bpf_map_lookup_elem(&file_cells, &number) : more_cell(key);
	if (!cell)
		return 0;
	cell->calls++;
	if (~ns)
		cell->total_ns += ns;
	if (sample_is_due(cell))
		sample_call(cell, files, slot, ret, ns);
	return 0;
}
