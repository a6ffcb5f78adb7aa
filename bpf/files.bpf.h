/* SPDX-License-Identifier: GPL-2.0 */
/* At entry, finds the call's file; at return, adds the call to the file's cell. */
#pragma once

#include "file_calls.bpf.h"

/*
 * Finds the file of a call that begins. Returns the slot, with SLOT_LEFT_OUT if it is not counted:
 * a file that the call opens is known at its return.
 */
static __always_inline u32 files_enter(struct task_struct *task, struct iotrace_task *state,
				       struct pt_regs *regs, u32 slot)
{
	u32 fd_arg = slot >> SLOT_FD_SHIFT & SLOT_FD_MASK, call = file_call_of(slot);
	u32 row = ROW_NONE;
	u64 position = ~0ULL;

	/* Before the window, nothing is counted. */
	if (fd_arg && !(state->flags & TASK_ARMED))
		row = row_of(task, state, call_arg(regs, slot, fd_arg - 1), &position,
			     SCRATCH_ENTRY);
	state->files.row = row;
	if (leaves_out(row)) {
		state->files.row = ROW_NONE;
		return slot | SLOT_LEFT_OUT;
	}
	if (call == FILE_CALL_PWRITE || call == FILE_CALL_PWRITEV)
		position = slot & SLOT_COMPAT ? ~0ULL : call_arg(regs, slot, fd_arg + 2);
	state->files.position = position;
	return slot;
}

/* Is this an empty path, with AT_EMPTY_PATH? */
static __always_inline bool is_empty(u64 path)
{
	char first = '?';

	bpf_probe_read_user(&first, 1, (void *)path);
	return !first;
}

/* The row of the file that a call has opened, or of the path that it could not open or find. */
static __always_inline u32 opened_row(struct task_struct *task, struct iotrace_task *state,
				      struct pt_regs *regs, u32 slot, long ret)
{
	u32 call = file_call_of(slot);
	bool failed = (unsigned long)ret >= (unsigned long)-MAX_ERRNO;
	u32 path_arg =
		call == FILE_CALL_OPENAT || call == FILE_CALL_OPENAT2 || call == FILE_CALL_LOOKAT;
	u64 position;

	/* With -P, looks are not counted at all. */
	if (call >= FILE_CALL_LOOK && leaves_files_out())
		return ROW_NONE;
	if (call >= FILE_CALL_LOOK && !failed && slot & SLOT_EXECS)
		return ROW_NONE;
	if (call == FILE_CALL_LOOKAT && !failed) {
		s32 fd = call_arg(regs, slot, 0);

		/* In some other directory. Or at the descriptor itself, as fstat() is made of. */
		if (fd != FILE_AT_FDCWD)
			return is_empty(call_arg(regs, slot, 1))
				       ? row_of(task, state, fd, &position, SCRATCH_RETURN)
				       : ROW_NONE;
	}
	if (call >= FILE_CALL_LOOK && failed && ret != -ENOENT && ret != -ENOTDIR)
		return ROW_NONE;
	if (call >= FILE_CALL_LOOK || failed)
		return path_row(&state->files, call_arg(regs, slot, path_arg), failed ? -ret : 0);
	return row_of(task, state, ret, &position, SCRATCH_RETURN);
}

/*
 * Adds a call that returns to the figures of its file. Returns the slot, with SLOT_LEFT_OUT if the
 * call is not counted. If only now it is known to be counted, counts it as entered.
 */
static __always_inline u32 files_exit(struct task_struct *task, struct iotrace_task *state,
				      struct pt_regs *regs, u32 slot, long ret, bool match_per_call,
				      bool timed, u64 ns, u32 switched)
{
	if (file_call_of(slot) >= FILE_CALL_OPEN) {
		state->files.row = opened_row(task, state, regs, slot, ret);
		if (leaves_out(state->files.row))
			return slot;
		if (leaves_files_out()) {
			slot &= ~SLOT_LEFT_OUT;
			count_late_entry(state, match_per_call);
		}
	}
	if (state->files.row)
		count_file_call(task, state, regs, slot, ret, timed, ns, switched);
	return slot;
}

/* A task has executed another program. */
static __always_inline void files_exec(struct task_struct *task, struct iotrace_task *state)
{
	/* Before its first call on a file a task is of no program: it is of the new one. */
	if (state->flags & TASK_ARMED)
		begin_busy(state, task);
	else if (state->files.program.pid)
		flush_figures(state, task);
	begin_program(&state->files, SCRATCH_RETURN);
}
