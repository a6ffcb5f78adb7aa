/* SPDX-License-Identifier: GPL-2.0 */
/* The marks of the tasks: which tasks are traced, and how many there still are. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/totals.bpf.h"
#include "tasks/states.bpf.h"

/*
 * User space sets it when tracing ends. After that all events are ignored, whatever is still
 * attached, except those of a task that calibrates.
 */
u32 stopped;

u64 seen_tasks;	 /* Live traced tasks that dump_tasks() has seen since user space set it to 0. */
long live_tasks; /* Traced tasks that have not been seen to end. */
/* CLOCK_MONOTONIC: the command's execve. For other targets user space sets it. */
u64 window_start_ns;
u64 window_end_ns; /* The last task's end. With cfg.match_per_call there is none. */

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct iotrace_mark);
} tasks SEC(".maps");

/* It becomes readable when the last traced task has ended, or may have. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} idle SEC(".maps");

static __always_inline void wake_up(void)
{
	u32 token = 0;

	bpf_ringbuf_output(&idle, &token, sizeof(token), 0);
}

/*
 * Counts one traced task less. The window ends with the last one, unless new ones may appear. If
 * ends have been missed, user space finds out whether it was the last one.
 */
static __always_inline void forget_task(void)
{
	bool last = __sync_fetch_and_add(&live_tasks, -1) == 1;

	if (cfg.match_per_call)
		return;
	if (last)
		window_end_ns = bpf_ktime_get_ns();
	if (last || (cfg.storage_locks && refused_ends))
		wake_up();
}

/*
 * Finds or makes the mark of a task. NULL: there is no memory. If two CPUs make the first storage
 * of a task at once, one of them fails (bpf_local_storage_alloc() in
 * kernel/bpf/bpf_local_storage.c) and finds the other's.
 */
static __always_inline struct iotrace_mark *make_mark(struct task_struct *task)
{
	struct iotrace_mark *mark;

	mark = bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!mark)
		mark = bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	return mark;
}

/*
 * Before Linux 6.2, a look-up in task storage fails as if there were none while another user of
 * task storage is preempted on this CPU (bpf_task_storage_trylock() in
 * kernel/bpf/bpf_task_storage.c). If even the current task cannot be given a mark, the look-up was
 * refused, and it is unknown whether the task has a mark.
 */
static __always_inline bool refused(struct iotrace_mark *mark)
{
	return cfg.storage_locks && !mark && !make_mark(bpf_get_current_task_btf());
}

/* Is the process of this task a target, whose threads are all wanted? */
static __always_inline bool of_target(struct task_struct *task)
{
	struct iotrace_mark *leader;

	if (!cfg.targets)
		return false;
	leader = bpf_task_storage_get(&tasks, task->group_leader, 0, 0);
	return leader && leader->flags & TASK_TARGET;
}

/*
 * Begins to trace a task, once, unless it has ended. Counts it first, because it may end at any
 * time after it is marked.
 */
static __always_inline void trace_task(struct task_struct *task, struct iotrace_mark *mark,
				       u32 flags)
{
	u32 old;

	__sync_fetch_and_add(&live_tasks, 1);
	if (cfg.by_stack)
		count_other(task, 1);
	/* Another CPU may write other flags meanwhile, but seldom does. */
	for (int i = 0; i < 8; i++) {
		old = mark->flags;
		if (old & (TASK_TRACED | TASK_EXCLUDED))
			break;
		if (__sync_val_compare_and_swap(&mark->flags, old,
						old | TASK_TRACED | TASK_OTHER | flags) == old)
			return;
	}
	if (!(old & (TASK_TRACED | TASK_EXCLUDED)))
		__sync_fetch_and_add(&lost_tasks, 1);
	if (cfg.by_stack)
		count_other(task, -1);
	forget_task();
}

/* Has tracing ended for this task? */
static __always_inline bool is_over(const struct iotrace_task *state)
{
	return stopped && !(state->flags & TASK_CALIBRATES);
}
