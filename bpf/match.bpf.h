/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides by its task whether a call is counted: the task was marked before, or it matches the
 * conditions of -a or --cgroup at the call.
 */
#pragma once

#include "tasks.bpf.h"
#include "access.bpf.h"

const volatile bool cfg_cgroup = false; /* only the tasks under cgroups[0] */
const volatile bool cfg_comm = false;	/* only the tasks of this name */
const volatile char cfg_comm_name[16] = {};
const volatile bool cfg_uid = false; /* only the tasks of this user */
const volatile u32 cfg_uid_value = 0;

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} cgroups SEC(".maps");

/*
 * A user without CAP_SYS_PTRACE sees the processes that the kernel lets them attach to when tracing
 * begins (user space asks the kernel, security modules included), and what these start, until an
 * execve gives them more privileges.
 */
static __always_inline bool is_allowed(struct task_struct *task)
{
	struct iotrace_task *state = bpf_task_storage_get(&tasks, task, 0, 0);

	if (refused(state))
		__sync_fetch_and_add(&refused_calls, 1);
	return state && state->flags & TASK_ALLOWED;
}

/* Is the task to be traced although tracing has ended? */
static __always_inline bool calibrates(struct task_struct *task)
{
	struct iotrace_task *state = bpf_task_storage_get(&tasks, task, 0, 0);

	return state && state->flags & TASK_CALIBRATES;
}

/*
 * Is the task wanted? -a and --cgroup ask at each call, because a task may move, or change its name
 * or user.
 */
static __always_inline bool matches(struct task_struct *task)
{
	if (cfg_access && !is_allowed(task))
		return false;
	if (cfg_cgroup && bpf_current_task_under_cgroup(&cgroups, 0) != 1)
		return false;
	if (cfg_uid && (u32)bpf_get_current_uid_gid() != cfg_uid_value)
		return false;
	if (cfg_comm) {
		char comm[16] = {};

		bpf_get_current_comm(comm, sizeof(comm));
		for (int i = 0; i < 16; i++) {
			if (comm[i] != cfg_comm_name[i])
				return false;
			if (!comm[i])
				break;
		}
	}
	return true;
}

static __always_inline bool is_wanted(struct task_struct *task)
{
	return matches(task) || (stopped && calibrates(task));
}

/*
 * The state of a wanted task, which is traced from now on; NULL if it must not be traced, or
 * without memory (a loss).
 */
static __always_inline struct iotrace_task *claimed_state(struct task_struct *task)
{
	struct iotrace_task *state = make_state(task);

	if (!state) {
		__sync_fetch_and_add(&lost_calls, 1);
		return NULL;
	}
	if (state->flags & TASK_EXCLUDED)
		return NULL;
	if (!(state->flags & TASK_TRACED)) {
		begin_busy(state, task);
		trace_task(state, (task->start_time < window_start_ns ? TASK_MAYBE_IN_CALL : 0) |
					  (visible_pid(task) ? 0 : TASK_OUTSIDE));
	}
	return state;
}

/* The state of the current task if it was marked before; NULL otherwise. */
static __always_inline struct iotrace_task *marked_state(struct task_struct *task)
{
	struct iotrace_task *state = bpf_task_storage_get(&tasks, task, 0, 0);

	if (refused(state))
		__sync_fetch_and_add(&refused_calls, 1);
	return state && state->flags & TASK_TRACED ? state : NULL;
}

/* The state of the current task if this call of it is to be counted; NULL otherwise. */
static __always_inline struct iotrace_task *traced_state(struct task_struct *task,
							 bool match_per_call)
{
	if (!match_per_call)
		return marked_state(task);
	return is_wanted(task) ? claimed_state(task) : NULL;
}
