/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The states of the tasks: which tasks are traced, and how many there still are. A task's state is
 * written by the task alone, so it needs no atomics, but for its flags.
 */
#pragma once

#include "totals.bpf.h"
#include "pid_namespace.bpf.h"

const volatile bool cfg_targets = false; /* processes are marked by TASK_TARGET */
/* Tasks are matched at each of their calls, so new ones may appear at any time. */
const volatile bool cfg_match_per_call = false;
const volatile bool cfg_storage_locks = false; /* task storage may be refused; see refused() */
const volatile bool cfg_files = false;	       /* calls are counted by file, too */

/*
 * Set by user space when tracing ends. After that all events are ignored, whatever is still
 * attached, except those of a task that calibrates.
 */
u32 stopped;

u64 seen_tasks;	 /* by dump_tasks() since user space set it to 0: traced, not ended */
long live_tasks; /* traced tasks that have not been seen to end */
/* CLOCK_MONOTONIC: the command's execve; for other targets set by user space. */
u64 window_start_ns;
u64 window_end_ns; /* the last task's end; with cfg_match_per_call there is none */

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct iotrace_task);
} tasks SEC(".maps");

/* Readable when the last traced task has ended, or may have. */
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

	if (cfg_match_per_call)
		return;
	if (last)
		window_end_ns = bpf_ktime_get_ns();
	if (last || (cfg_storage_locks && refused_ends))
		wake_up();
}

/*
 * Finds or makes the state of a task; NULL without memory. If two CPUs make the first storage of a
 * task at once, one of them fails (bpf_local_storage_alloc() in kernel/bpf/bpf_local_storage.c) and
 * finds the other's.
 */
static __always_inline struct iotrace_task *make_state(struct task_struct *task)
{
	struct iotrace_task *state;

	state = bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!state)
		state = bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	return state;
}

/*
 * Before Linux 6.2, a look-up in task storage fails as if there were none while another user of
 * task storage is preempted on this CPU (bpf_task_storage_trylock() in
 * kernel/bpf/bpf_task_storage.c). If even the current task cannot be given a state, the look-up was
 * refused, and it is unknown whether the task has a state.
 */
static __always_inline bool refused(struct iotrace_task *state)
{
	return cfg_storage_locks && !state && !make_state(bpf_get_current_task_btf());
}

static __always_inline bool is_outside(const struct iotrace_task *state, bool match_per_call)
{
	return match_per_call && cfg_pid_namespace && state->flags & TASK_OUTSIDE;
}

/* Is the process of this task a target, whose threads are all wanted? */
static __always_inline bool of_target(struct task_struct *task)
{
	struct iotrace_task *leader;

	if (!cfg_targets)
		return false;
	leader = bpf_task_storage_get(&tasks, task->group_leader, 0, 0);
	return leader && leader->flags & TASK_TARGET;
}

/*
 * Begins to trace a task, once, unless it has ended. Counts it first, because it may end at any
 * time after it is marked.
 */
static __always_inline void trace_task(struct iotrace_task *state, u32 flags)
{
	u32 old;

	__sync_fetch_and_add(&live_tasks, 1);
	old = __sync_fetch_and_or(&state->flags, TASK_TRACED | flags);
	if (old & (TASK_TRACED | TASK_EXCLUDED))
		forget_task();
	if (old & TASK_EXCLUDED)
		__sync_fetch_and_and(&state->flags, TASK_EXCLUDED | TASK_TARGET);
}

/* Has tracing ended for this task? */
static __always_inline bool is_over(const struct iotrace_task *state)
{
	return stopped && !(state->flags & TASK_CALIBRATES);
}

static __always_inline void start_busy(struct iotrace_task_files *files, u64 user_ns, u64 system_ns)
{
	files->busy.user_ns = user_ns;
	files->busy.system_ns = system_ns;
	files->busy.run_ns = files->busy.run_calls = 0;
}

/* Begins to count the task's time for its program. */
static __always_inline void begin_busy(struct iotrace_task *state, struct task_struct *task)
{
	if (cfg_files)
		start_busy(&state->files, task->utime, task->stime);
}
