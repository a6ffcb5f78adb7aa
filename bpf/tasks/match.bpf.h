/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides by its task whether a call is counted: the task was marked before, or it matches the
 * conditions of -a or --cgroup at the call.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/slots.bpf.h"
#include "cells/totals.bpf.h"
#include "tasks/marks.bpf.h"
#include "tasks/pid_namespace.bpf.h"
#include "tasks/states.bpf.h"

const volatile char cfg_comm_name[16] = {};
const volatile u32 cfg_uid_value = 0;

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} wanted_cgroup SEC(".maps");

/*
 * A user without CAP_SYS_PTRACE sees the processes that the kernel lets them attach to when tracing
 * begins (user space asks the kernel, security modules included), and what these start, until an
 * execve gives them more privileges.
 */
static __always_inline bool is_allowed(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_mark *mark = bpf_task_storage_get(&tasks, task, 0, 0);

	if (refused(mark))
		__sync_fetch_and_add(&refused_calls, 1);
	return mark && mark->flags & TASK_ALLOWED;
}

/* Is the current task to be traced although tracing has ended? */
static __always_inline bool calibrates(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_mark *mark = bpf_task_storage_get(&tasks, task, 0, 0);

	return mark && mark->flags & TASK_CALIBRATES;
}

/*
 * Is the current task wanted? -a and --cgroup ask at each call, because a task may move, or change
 * its name or user.
 */
static __always_inline bool matches(void)
{
	if (cfg.access && !is_allowed())
		return false;
	if (cfg.cgroup && bpf_current_task_under_cgroup(&wanted_cgroup, 0) != 1)
		return false;
	if (cfg.uid && (u32)bpf_get_current_uid_gid() != cfg_uid_value)
		return false;
	if (cfg.comm) {
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

static __always_inline bool is_wanted(void)
{
	return matches() || (stopped && calibrates());
}

/*
 * Finds the state of the current task, which is traced, or makes it at its first call. Returns its
 * number. 0: there is none left, which is a loss if a call begins.
 */
static __always_inline u32 take_state(struct iotrace_mark *mark, struct task_struct *task, u64 key,
				      bool begins)
{
	u32 number = mark->number;

	if (number || (stopped && !(mark->flags & TASK_CALIBRATES)))
		return number;
	number = begin_state(mark, task);
	if (!number && begins)
		__sync_fetch_and_add(&lost_calls, 1);
	if (number && cfg.by_stack)
		claim_stack_slot(mark, task, key);
	return number;
}

/* Is a call wanted, or can a wanted call return under its number? */
static __always_inline bool may_be_wanted(u32 key, u64 id, bool begins)
{
	return begins ? slots[key] >= SLOT_WANTED : slots[key] != SLOT_UNWANTED || (int)id == -1;
}

/*
 * Finds the state of the current task, if that was marked before, by its task storage. Returns its
 * number. 0: it is not traced, or the call is not wanted.
 */
__noinline u32 find_marked(u64 key, u64 id, bool begins)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_mark *mark;

	if (!may_be_wanted(call_key(task, id), id, begins))
		return 0;
	mark = bpf_task_storage_get(&tasks, task, 0, 0);
	if (refused(mark))
		__sync_fetch_and_add(&refused_calls, 1);
	return mark && mark->flags & TASK_TRACED ? take_state(mark, task, key, begins) : 0;
}

const volatile u32 cfg_own_pid; /* Process id of iotrace, whose threads are never traced. */

/*
 * The same for a task that matches, which is traced from now on. Returns 0 as well if it must not
 * be traced, or there is no memory, which is a loss.
 */
__noinline u32 claim_matching(u64 key, u64 id, bool begins)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_mark *mark;

	if (!may_be_wanted(call_key(task, id), id, begins))
		return 0;
	if (stopped && !calibrates())
		return 0;
	mark = make_mark(task);
	if (!mark) {
		__sync_fetch_and_add(&lost_calls, 1);
		return 0;
	}
	if (mark->flags & TASK_EXCLUDED || (u32)visible_tgid(task) == cfg_own_pid)
		return 0;
	if (!(mark->flags & TASK_TRACED)) {
		read_times(&mark->since, task);
		trace_task(task, mark,
			   (task->start_time < window_start_ns ? TASK_MAYBE_IN_CALL : 0) |
				   (visible_pid(task) ? 0 : TASK_OUTSIDE));
	}
	return mark->flags & TASK_TRACED ? take_state(mark, task, key, begins) : 0;
}

/* The number of the call, which is in the registers when it returns. */
static __always_inline u64 call_id(const struct pt_regs *regs, u64 id, bool begins)
{
	return begins ? id : regs->orig_ax;
}

/*
 * The number of the current task's state, if this call of it may be one to count; 0 otherwise. At a
 * return, a call counts that the task entered while it matched; nothing else does.
 */
static __always_inline u32 traced_number(struct pt_regs *regs, u64 id, bool match_per_call,
					 bool begins)
{
	bool by_storage = true;
	struct iotrace_task *state;
	u32 number = 0;
	u64 key = 0;

	if (cfg.by_stack) {
		const struct iotrace_stack *stack;

		key = stack_key(regs);
		stack = stack_of(key);
		if (stack->key == key)
			number = stack->number;
		by_storage = stack->others || unplaced;
	}
	if (match_per_call && is_wanted())
		return number ?: claim_matching(key, call_id(regs, id, begins), begins);
	if (match_per_call && begins)
		return 0;
	if (!number && (by_storage || match_per_call))
		number = find_marked(key, call_id(regs, id, begins), begins);
	if (!match_per_call)
		return number;
	state = state_of(number);
	return state && state->slot ? number : 0;
}
