/* SPDX-License-Identifier: GPL-2.0 */
/* At entry, finds the call's file; at return, adds the call to the file's cell. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/counts.bpf.h"
#include "cells/totals.bpf.h"
#include "tasks/outside.bpf.h"
#include "tasks/states.bpf.h"
#include "files/cache.bpf.h"
#include "files/count.bpf.h"
#include "files/path_filter.bpf.h"
#include "files/scratch.bpf.h"
#include "files/users.bpf.h"

/*
 * Finds the file of a call that begins. Returns the slot, with SLOT_FILTERED if it is not counted:
 * a file that the call opens is known at its return.
 */
static __always_inline u32 files_enter(struct task_struct *task, const struct iotrace_task *state,
				       struct iotrace_task_files *files, struct pt_regs *regs,
				       u32 slot)
{
	u32 call = file_call_of(slot), row = ROW_NONE;

	/* Before the window, nothing is counted. */
	if (slot & SLOT_FD && !(state->flags & TASK_ARMED)) {
		files->fd = descriptor_arg(regs, slot);
		row = row_of(task, files, files->fd, SCRATCH_ENTRY);
	}
	files->row = row;
	if (row_filtered(row)) {
		files->row = ROW_NONE;
		return slot | SLOT_FILTERED;
	}
	if (call == FILE_CALL_PREAD || call == FILE_CALL_PWRITE || call == FILE_CALL_PWRITEV)
		files->position = slot & SLOT_COMPAT ? ~0ULL : regs->r10;
	return slot;
}

/* An argument of a call on a path. */
static __always_inline u64 path_call_arg(const struct pt_regs *regs, u32 slot, u32 n)
{
	if (slot & SLOT_COMPAT)
		return (u32)(n == 0 ? regs->bx : n == 1 ? regs->cx : regs->dx);
	return n == 0 ? regs->di : n == 1 ? regs->si : regs->dx;
}

/* Is this an empty path, with AT_EMPTY_PATH? */
static __always_inline bool is_empty(u64 path)
{
	char first = '?';

	bpf_probe_read_user(&first, 1, (void *)path);
	return !first;
}

/* Does this opening empty the file, or did it have to make it? */
static __always_inline bool begins_anew(const struct pt_regs *regs, u32 slot)
{
	u64 flags = 0;

	switch (file_call_of(slot)) {
	case FILE_CALL_CREAT:
		return true;
	case FILE_CALL_OPEN:
		flags = path_call_arg(regs, slot, 1);
		break;
	case FILE_CALL_OPENAT:
		flags = path_call_arg(regs, slot, 2);
		break;
	case FILE_CALL_OPENAT2:
		bpf_probe_read_user(&flags, sizeof(flags), (void *)path_call_arg(regs, slot, 2));
		break;
	}
	return flags & FILE_O_ANEW;
}

/* The row of the path that a call could not open or find, or that it has found. */
static __always_inline u32 looked_up_row(struct iotrace_task_files *files,
					 const struct pt_regs *regs, u32 slot, u32 err)
{
	u32 call = file_call_of(slot);
	bool at = call == FILE_CALL_OPENAT || call == FILE_CALL_OPENAT2 ||
		  call == FILE_CALL_LOOKAT || call == FILE_CALL_MAKEAT;
	s32 directory = at ? (s32)path_call_arg(regs, slot, 0) : FILE_AT_FDCWD;

	/* With -P, looks are not counted at all. */
	if (call >= FILE_CALL_LOOK && filters_files())
		return ROW_NONE;
	if (call >= FILE_CALL_LOOK && !err && (slot & SLOT_EXECS || call >= FILE_CALL_MAKE))
		return ROW_NONE;
	/* The look is in another directory, or at the descriptor itself, as fstat() is made of. */
	if (call == FILE_CALL_LOOKAT && !err && directory != FILE_AT_FDCWD)
		return is_empty(path_call_arg(regs, slot, 1))
			       ? cached_row(files, directory, SCRATCH_RETURN)
			       : ROW_NONE;
	/*
	 * Whoever resolves a path reads links, and finds files and directories. Whoever makes a
	 * directory that is there has found it.
	 */
	if (call >= FILE_CALL_LOOK && (err == EINVAL || err == EEXIST))
		err = 0;
	if (call >= FILE_CALL_LOOK && err && err != ENOENT && err != ENOTDIR)
		return ROW_NONE;
	return path_row(files, path_call_arg(regs, slot, at), err, directory);
}

/*
 * The row of the file that a call of the current task has opened, or of the path that it looked for
 * or could not open.
 */
__noinline u32 opened_row(u32 number, u32 slot, long ret)
{
	const struct pt_regs *regs = own_registers();
	struct iotrace_task_files *files;
	u32 row;

	if (!cfg_files)
		return ROW_OTHER;
	files = files_of(number);
	if (!files || !number)
		return ROW_OTHER;
	if (is_error(ret))
		return looked_up_row(files, regs, slot, -ret);
	if (file_call_of(slot) >= FILE_CALL_LOOK)
		return looked_up_row(files, regs, slot, 0);
	row = cached_row(files, ret, SCRATCH_RETURN);
	return (row & ROW_MASK) >= ROW_FIRST && begins_anew(regs, slot) ? row | ROW_ANEW : row;
}

/*
 * A call begins of a task without room for its files: it is counted, but by no file. With -P it is
 * not known whether it is wanted.
 */
static __always_inline u32 files_unknown(u32 slot)
{
	if (!(slot & SLOT_FD) && file_call_of(slot) < FILE_CALL_OPEN)
		return slot;
	__sync_fetch_and_add(filters_files() ? &lost_calls : &misplaced_calls, 1);
	return filters_files() ? slot | SLOT_FILTERED : slot;
}

/* SLOT_IDLES, if a call that reads from such a file waits for others. */
static __always_inline u32 idles_on_file(u32 row, u32 slot)
{
	return (row / ROW_IDLES & slot / SLOT_READS & 1) * SLOT_IDLES;
}

/*
 * Adds a call that returns to the figures of its file. Returns the slot, with SLOT_FILTERED if the
 * call is not counted. If only now it is known to be counted, counts it as entered.
 */
static __always_inline u32 files_exit(struct iotrace_task *state, struct iotrace_task_files *files,
				      const struct pt_regs *regs, u32 slot, bool match_per_call,
				      const struct outcome *o)
{
	if (cfg_groups && files->group != state->group)
		use_as_group(files, state->group);
	if (file_call_of(slot) >= FILE_CALL_OPEN) {
		files->row = opened_row(state->files, slot, o->ret);
		if (row_filtered(files->row))
			return slot;
		if (filters_files()) {
			slot &= ~SLOT_FILTERED;
			count_late_entry(state, match_per_call);
		}
	}
	slot |= idles_on_file(files->row, slot);
	if (files->row)
		count_file_call(state, files, regs, slot, o);
	else if (cfg.all_stacks || (cfg_stacks && slot & SLOT_SAMPLED))
		sample_without_file(files, slot, o->ret, is_timed(o) ? o->ns : ~0ULL);
	return slot;
}

/* The current task has executed another program. armed: with that the window opens. */
__noinline int files_exec(u32 number, bool armed)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_task_files *files;
	struct iotrace_times now;

	if (!cfg_files)
		return 0;
	files = files_of(number);
	if (!files || !number)
		return 0;
	/* Before its first call on a file a task is of no program: its times are the new one's. */
	read_times(&now, task);
	if (armed)
		start_times(files, &now);
	else if (files->program.pid)
		flush_files(files, task);
	else
		flush_calls(files, task->pid == task->tgid);
	begin_program(files, SCRATCH_RETURN);
	return 0;
}
