/* SPDX-License-Identifier: GPL-2.0 */
/* The programs that see tasks begin, execute other programs, lose the CPU and end. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/switches.bpf.h"
#include "cells/totals.bpf.h"
#include "tasks/access.bpf.h"
#include "tasks/marks.bpf.h"
#include "tasks/pid_namespace.bpf.h"
#include "tasks/states.bpf.h"
#include "stop.bpf.h"

/* Another task gets the CPU. Neither of them runs meanwhile, so its state may be written. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(switch_task, bool preempt, struct task_struct *before, struct task_struct *after)
{
	struct iotrace_task *state;
	struct iotrace_mark *mark;

	mark = bpf_task_storage_get(&tasks, before, 0, 0);
	state = mark ? state_of(mark->number) : NULL;
	if (state && state->slot)
		lose_cpu(state, before);
	mark = bpf_task_storage_get(&tasks, after, 0, 0);
	state = mark ? state_of(mark->number) : NULL;
	if (state && state->slot)
		state->cpu_since = bpf_ktime_get_ns();
	return 0;
}

/*
 * A task ends. A leader may end before its threads; its mark still says that the process is a
 * target.
 */
static __always_inline void end_of_task(struct iotrace_mark *mark, struct task_struct *task)
{
	u32 old = __sync_fetch_and_or(&mark->flags, TASK_EXCLUDED);

	if (!(old & TASK_TRACED))
		return;
	/* dump_tasks() has read its figures, or reads them now. */
	if (old & TASK_READ) {
		release_stack_slot(mark, task);
		forget_task();
		return;
	}
	/* It was in flight when tracing ended. */
	if (stopped && cfg.match_per_call && cfg_pid_namespace && old & TASK_OUTSIDE) {
		release_stack_slot(mark, task);
		return;
	}
	stop_tracing(mark, task, true);
	__sync_fetch_and_and(&mark->flags, TASK_EXCLUDED | TASK_TARGET);
}

/*
 * This program is attached first, before any task is taken on.
 *
 * A target's thread may end while mark_tasks() is about to take it on: whoever sets the second of
 * the flags TASK_EXCLUDED and TASK_TRACED undoes it.
 */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(task_exit, struct task_struct *task)
{
	struct iotrace_mark *mark = bpf_task_storage_get(&tasks, task, 0, 0);

	if (refused(mark)) {
		__sync_fetch_and_add(&refused_ends, 1);
		wake_up();
		return 0;
	}
	if (!mark && of_target(task))
		mark = make_mark(task);
	if (mark)
		end_of_task(mark, task);
	return 0;
}

/*
 * From Linux 7.0 on the kernel skips task_exit() for a task if another task is preempted in it on
 * the same CPU. No program is preempted here, where the scheduler takes the CPU from the task for
 * the last time.
 */
SEC("?tp_btf/sched_switch")
int BPF_PROG(task_exit_late, bool preempt, struct task_struct *task)
{
	struct iotrace_mark *mark;

	if (!(task->__state & TASK_DEAD))
		return 0;
	mark = bpf_task_storage_get(&tasks, task, 0, 0);
	if (mark && !(mark->flags & TASK_EXCLUDED))
		end_of_task(mark, task);
	return 0;
}

/* The current task has made a task, which has not run yet. */
static __always_inline int begin_task(struct task_struct *child)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	struct iotrace_mark *mine, *mark;

	mine = bpf_task_storage_get(&tasks, parent, 0, 0);
	if (refused(mine)) {
		__sync_fetch_and_add(&lost_tasks, 1);
		return 0;
	}
	/* A thread of a target that is not marked yet: mark its child now. */
	if (!(mine && mine->flags & (TASK_TRACED | TASK_ALLOWED)) && !of_target(parent))
		return 0;
	if (!cfg.follow && child->tgid != parent->tgid)
		return 0;
	mark = make_mark(child);
	if (!mark) {
		__sync_fetch_and_add(&lost_tasks, 1);
		return 0;
	}
	/* It has executed what its parent has. Who has no mark is a thread of a target. */
	if (cfg.may_miss_execs) {
		mark->exec_id = child->self_exec_id;
		barrier(); /* The verifier refuses one load from either mark. */
		if (mine)
			mark->exec_id = mine->exec_id;
	}
	if (cfg.match_per_call)
		__sync_fetch_and_or(&mark->flags, TASK_ALLOWED);
	else
		trace_task(child, mark, 0);
	return 0;
}

/* Traced tasks' threads and children are traced from their first instruction. */
SEC("?tp_btf/task_newtask")
int BPF_PROG(newtask, struct task_struct *child)
{
	return begin_task(child);
}

/* As task_exit_late(), for newtask(): the scheduler is about to let the new task run. */
SEC("?tp_btf/sched_wakeup_new")
int BPF_PROG(newtask_late, struct task_struct *child)
{
	return bpf_task_storage_get(&tasks, child, 0, 0) ? 0 : begin_task(child);
}

/*
 * A traced process has executed a program, and may have new credentials: set-user-ID, file
 * capabilities, or a file that its user may not read. If they exceed the user's own, the process is
 * not traced any more, from this call on.
 */
SEC("?tp_btf/sched_process_exec")
int BPF_PROG(check_exec, struct task_struct *task)
{
	struct iotrace_mark *mark = bpf_task_storage_get(&tasks, task, 0, 0);

	/*
	 * It is unknown whether this process is traced, and it cannot be excluded: stop tracing
	 * altogether.
	 */
	if (refused(mark) && !may_trace(task)) {
		stopped = 1;
		__sync_fetch_and_add(&lost_tasks, 1);
	}
	if (mark && mark->flags & (TASK_TRACED | TASK_ALLOWED | TASK_TARGET))
		check_privileges(mark, task);
	return 0;
}
