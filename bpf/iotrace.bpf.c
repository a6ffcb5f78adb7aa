// SPDX-License-Identifier: GPL-2.0
/*
 * The probes decide which tasks are traced, and count their calls. The configuration is const
 * volatile, so the verifier removes code that is switched off.
 *
 * sys_enter and sys_exit run with preemption off (include/trace/bpf_probe.h), and a task's storage
 * is written by the task alone, so neither per-CPU cells nor task storage need atomics.
 */
#include "calls.bpf.h"
#include "iterators.bpf.h"

const volatile bool cfg_follow = true; /* children as well as threads */

/*
 * User space waits for the probes by updating this map of maps: the update waits for all programs
 * that may still use the old element (maybe_wait_bpf_programs() in kernel/bpf/syscall.c; since
 * 5.0).
 */
struct nothing {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} nothing SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__array(values, struct nothing);
} grace SEC(".maps"); /* empty until then: filling it, too, waits */

/* Another task gets the CPU. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(switch_task, bool preempt, struct task_struct *before, struct task_struct *after)
{
	struct iotrace_task *state;

	state = bpf_task_storage_get(&tasks, before, 0, 0);
	if (state && state->slot)
		lose_cpu(state, before);
	state = bpf_task_storage_get(&tasks, after, 0, 0);
	if (state && state->slot)
		state->cpu_since = bpf_ktime_get_ns();
	return 0;
}

/*
 * The programs are attached in the order of this file: the end of a task is seen before any task is
 * taken on, and returns before entries, so that no call is seen to enter whose return would be
 * missed.
 *
 * A target's thread may end while mark_tasks() is about to take it on: whoever sets the second of
 * the flags TASK_EXCLUDED and TASK_TRACED undoes it.
 */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(task_exit, struct task_struct *task)
{
	struct iotrace_task *state = bpf_task_storage_get(&tasks, task, 0, 0);
	u32 old;

	if (refused(state)) {
		__sync_fetch_and_add(&refused_ends, 1);
		wake_up();
		return 0;
	}
	if (!state && of_target(task))
		state = make_state(task);
	if (!state)
		return 0;
	/* A leader may end before its threads; its state still marks the process as a target. */
	old = __sync_fetch_and_or(&state->flags, TASK_EXCLUDED);
	if (!(old & TASK_TRACED))
		return 0;
	/* dump_tasks() has read its figures. */
	if (old & TASK_READ) {
		forget_task();
		return 0;
	}
	flush_figures(state, task);
	if (is_outside(state, cfg_match_per_call)) {
		if (stopped)
			return 0; /* it was in flight when tracing ended */
		leave_outside(state);
	}
	if (counted(state->slot) && !(state->flags & TASK_ARMED))
		__sync_fetch_and_add(&ended_inside, 1);
	__sync_fetch_and_add(&ended_entered, state->entered);
	state->entered = 0;
	state->slot = 0;
	__sync_fetch_and_and(&state->flags, TASK_EXCLUDED | TASK_TARGET);
	forget_task();
	return 0;
}

/*
 * There is a program for each way to find the task, with and without per-file figures, so a run
 * pays only for what it uses. The kernel keeps 15 bytes of their names.
 */
#define PROBES(whose, suffix, match_per_call, files)                       \
	SEC("?tp_btf/sys_exit")                                            \
	int BPF_PROG(whose##_exit##suffix, struct pt_regs *regs, long ret) \
	{                                                                  \
		return leave(regs, ret, match_per_call, files);            \
	}                                                                  \
	SEC("?tp_btf/sys_enter")                                           \
	int BPF_PROG(whose##_enter##suffix, struct pt_regs *regs, long id) \
	{                                                                  \
		return enter(regs, id, match_per_call, files);             \
	}

PROBES(sys, , false, false) /* tasks that were marked before: the command's, or those of -p */
PROBES(any, , true, false)  /* tasks that are matched at each call: -a and --cgroup */
PROBES(sys, _files, false, true)
PROBES(any, _files, true, true)

/*
 * Traced tasks' threads and children are traced from their first instruction: this runs before they
 * do.
 */
SEC("?tp_btf/task_newtask")
int BPF_PROG(newtask, struct task_struct *child)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	struct iotrace_task *mine, *state;

	mine = bpf_task_storage_get(&tasks, parent, 0, 0);
	if (refused(mine)) {
		__sync_fetch_and_add(&lost_tasks, 1);
		return 0;
	}
	/* A thread of a target that is not marked yet: mark its child now. */
	if (!(mine && mine->flags & (TASK_TRACED | TASK_ALLOWED)) && !of_target(parent))
		return 0;
	if (!cfg_follow && child->tgid != parent->tgid)
		return 0;
	state = make_state(child);
	if (!state) {
		__sync_fetch_and_add(&lost_tasks, 1);
		return 0;
	}
	if (cfg_match_per_call)
		__sync_fetch_and_or(&state->flags, TASK_ALLOWED);
	else
		trace_task(state, 0);
	return 0;
}

/*
 * A traced process has executed a program, and may have new credentials: set-user-ID, file
 * capabilities, or a file that its user may not read. If they exceed the user's own, the process is
 * not traced any more, from this call on.
 */
SEC("?tp_btf/sched_process_exec")
int BPF_PROG(check_exec, struct task_struct *task)
{
	struct iotrace_task *state = bpf_task_storage_get(&tasks, task, 0, 0);
	u32 old;

	/*
	 * It is unknown whether this process is traced, and it cannot be excluded: stop tracing
	 * altogether.
	 */
	if (refused(state) && !may_trace(task)) {
		stopped = 1;
		__sync_fetch_and_add(&lost_tasks, 1);
	}
	if (!state || !(state->flags & (TASK_TRACED | TASK_ALLOWED | TASK_TARGET)) ||
	    may_trace(task))
		return 0;
	old = __sync_fetch_and_or(&state->flags, TASK_EXCLUDED);
	if (old & (TASK_EXCLUDED | TASK_READ))
		return 0;
	__sync_fetch_and_add(&left_out, 1);
	if (old & TASK_TRACED) {
		flush_figures(state, task);
		if (counted(state->slot) && !(old & TASK_ARMED))
			state->entered--;
		__sync_fetch_and_add(&ended_entered, state->entered);
		state->entered = 0;
		state->slot = 0;
		forget_task();
	}
	__sync_fetch_and_and(&state->flags, TASK_EXCLUDED);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
