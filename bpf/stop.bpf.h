/* SPDX-License-Identifier: GPL-2.0 */
/* A task is not traced any more: it has ended, or its privileges exceed the user's own. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/slots.bpf.h"
#include "cells/totals.bpf.h"
#include "tasks/access.bpf.h"
#include "tasks/marks.bpf.h"
#include "tasks/outside.bpf.h"
#include "tasks/states.bpf.h"
#include "groups/groups.bpf.h"
#include "files/users.bpf.h"

/*
 * The current task is not traced any more: adds what it holds to what user space reads. If it has
 * ended, the call that it is in will not return.
 */
static __always_inline void stop_tracing(struct iotrace_mark *mark, struct task_struct *task,
					 bool ended)
{
	struct iotrace_task *state;
	u32 number = mark->number;

	/* A task without a call may have been busy all the same. */
	if (!number && cfg_files)
		number = begin_state(mark, task);
	state = state_of(number);
	if (state) {
		flush_figures(number, task);
		if (cfg_groups)
			rename_group(task);
		if (is_outside(state, cfg.match_per_call) && ended)
			leave_outside(state);
		if (counted(state->slot) && !(state->flags & TASK_ARMED)) {
			if (ended)
				__sync_fetch_and_add(&ended_inside, 1);
			else
				state->entered--;
		}
		__sync_fetch_and_add(&ended_entered, state->entered);
	}
	end_state(mark, task);
	forget_task();
}

/* Excludes the current task if the user may not trace it now. Returns whether they may. */
static __always_inline bool check_privileges(struct iotrace_mark *mark, struct task_struct *task)
{
	u32 old;

	if (may_trace(task)) {
		mark->exec_id = task->self_exec_id;
		return true;
	}
	old = __sync_fetch_and_or(&mark->flags, TASK_EXCLUDED);
	if (old & (TASK_EXCLUDED | TASK_READ))
		return false;
	__sync_fetch_and_add(&excluded, 1);
	if (old & TASK_TRACED)
		stop_tracing(mark, task, false);
	__sync_fetch_and_and(&mark->flags, TASK_EXCLUDED);
	return false;
}

/*
 * From Linux 7.0 on the kernel skips check_exec() for a task if another task is preempted in it on
 * the same CPU. So each call asks: is this the program that the task was allowed to be traced in?
 * The kernel counts the programs that a task and its ancestors have executed. A command that has
 * not executed anything yet is a copy of iotrace.
 */
__noinline int still_allowed(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_mark *mark;

	if (!cfg.may_miss_execs)
		return true;
	mark = bpf_task_storage_get(&tasks, task, 0, 0);
	if (!mark)
		return false;
	if (mark->exec_id == task->self_exec_id || mark->flags & TASK_CALIBRATES)
		return true;
	if (!mark->exec_id && mark->flags & TASK_ARMED && task->flags & PF_FORKNOEXEC)
		return true;
	return check_privileges(mark, task);
}
