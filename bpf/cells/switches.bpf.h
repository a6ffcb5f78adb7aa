/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out whether a call slept or was preempted, and its CPU time. */
#pragma once

#include "kernel/kernel.bpf.h"

/* Not 0 if the task has slept since its call began. */
static __always_inline u32 slept_since(const struct iotrace_task *state,
				       const struct task_struct *task)
{
	return (u32)task->nvcsw ^ state->nvcsw;
}

/* Its nvcsw at the return of a call, whose state->slept is what slept_since() said. */
static __always_inline u32 nvcsw_at_return(const struct iotrace_task *state)
{
	return state->nvcsw ^ state->slept;
}

/* Not 0 if it was preempted since then. */
static __always_inline u32 preempted_since(const struct iotrace_task *state,
					   const struct task_struct *task)
{
	return (u32)task->nivcsw ^ state->nivcsw;
}

/*
 * The CPU time of the call that the task is in, of which ns have passed. Should the kernel have
 * skipped the probe when the task was given the CPU, the scheduler knows it as of its last tick.
 */
static __always_inline u64 cpu_time(const struct iotrace_task *state,
				    const struct task_struct *task, u64 now, u64 ns)
{
	u64 cpu_ns;

	if (!state->cpu_exec)
		return ns;
	if (state->cpu_since)
		cpu_ns = state->cpu_ns + now - state->cpu_since;
	else
		cpu_ns = state->cpu_ns + task->se.sum_exec_runtime - state->cpu_exec;
	return cpu_ns < ns ? cpu_ns : ns; /* The scheduler's clock may be a little faster. */
}

/*
 * A task loses the CPU in its call. Up to the first loss its CPU time is the time since the call
 * began; from then on it is the scheduler's count, which leaves out time that a hypervisor took.
 */
static __always_inline void lose_cpu(struct iotrace_task *state, const struct task_struct *task)
{
	u64 exec = task->se.sum_exec_runtime;

	if (state->cpu_exec)
		state->cpu_ns += exec - state->cpu_exec;
	else
		state->cpu_ns = bpf_ktime_get_ns() - state->start_ns;
	state->cpu_exec = exec;
	state->cpu_since = 0;
}
