/* SPDX-License-Identifier: GPL-2.0 */
/* Handles the entry and the return of each call. */
#pragma once

#include "match.bpf.h"
#include "files.bpf.h"

const volatile bool cfg_entries = true; /* sys_enter is attached too */
const volatile bool cfg_latency = true;
const volatile bool cfg_may_miss = false; /* the kernel may skip probes, or refuse a task's state */

/* Can a seccomp filter answer calls of this task? */
static __always_inline bool has_filter(struct task_struct *task)
{
	return !bpf_core_field_exists(task->seccomp.mode) || task->seccomp.mode;
}

/*
 * Handles the return of a wanted call whose entry was not seen. There are four kinds: the call that
 * created the task (one entry, two returns); a call that began before tracing, or before the task
 * moved into the cgroup; a call that a seccomp filter answered before the entry probe
 * (kernel/entry/common.c), which is counted without a time; and, without a filter, a call whose
 * entry probe the kernel skipped.
 */
__noinline int return_without_entry(u32 number, u32 key, long ret, bool match_per_call,
				    bool filtered)
{
	struct outcome o = { .ret = ret, .failed = is_error(ret) };
	struct iotrace_task *state = state_of(number);
	bool fresh;
	u32 slot;

	if (!state || key >= NO_KEY || slots[key] < SLOT_WANTED)
		return 0;
	if (ret == 0 && slots[key] & SLOT_FORKS)
		return 0;
	fresh = state->flags & TASK_MAYBE_IN_CALL;
	if (fresh)
		state->flags &= ~TASK_MAYBE_IN_CALL;
	if (cfg_entries && (fresh || !filtered)) {
		__sync_fetch_and_add(fresh || match_per_call ? &under_way : &lost_calls, 1);
		return 0;
	}
	slot = slot_for(key);
	if (!slot || leaves_out(ROW_NONE))
		return 0;
	count_late_entry(state, match_per_call);
	state->size = size_bucket(ret);
	count_call(state, slot, &o);
	return 0;
}

/*
 * Is the task being killed, so that it will not see this call return? ptrace would not see the
 * return either (ptrace_stop() in kernel/signal.c): the call ends with its task. But for other
 * fatal signals, and only without ptrace, the kernel sends SIGKILL to all threads at once
 * (complete_signal()): in the task that takes the signal the call does return before the task dies,
 * for example with EPIPE for SIGPIPE.
 */
__noinline int dies_inside(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	unsigned long taken;
	int sig;

	sig = BPF_CORE_READ(task, signal, group_exit_code) & 0x7f;
	if (!sig || sig == SIGKILL)
		return true;
	taken = 1UL << (sig - 1);
	if (task->pending.signal.sig[0] & taken)
		return false;
	return task->pid != task->tgid ||
	       !(BPF_CORE_READ(task, signal, shared_pending.signal.sig[0]) & taken);
}

/*
 * Returns the slot, or 0 if an earlier call stored it: with cfg_may_miss, the return of that call
 * and the entry of this one may have been missed. The number in the registers shows that, except
 * for calls that overwrite it.
 */
__noinline u32 own_slot(u32 slot, u32 key)
{
	if (!slot || slot & SLOT_EXECS || key >= NO_KEY || !(slots[key] & SLOT_WANTED) ||
	    (slots[key] & SLOT_MASK) == (slot & SLOT_MASK))
		return slot;
	if (counted(slot))
		__sync_fetch_and_add(&lost_calls, 1);
	return 0;
}

/*
 * Opens the window at a successful execve, which is the first call in it. Returns whether it did.
 */
static __always_inline bool opens_window(struct iotrace_task *state, u32 key, u32 slot, long ret)
{
	if (ret != 0 || !is_exec(key))
		return false;
	state->flags &= ~TASK_ARMED;
	window_start_ns = bpf_ktime_get_ns();
	if (counted(slot))
		state->entered++;
	return true;
}

/* Measures the call that returns. Returns the time now; 0: the clock is not read. */
static __always_inline u64 measure_call(struct iotrace_task *state, const struct task_struct *task,
					struct outcome *o)
{
	u64 now;

	o->switched = switches_since(state, task);
	o->estimated = !was_sampled(state);
	if (o->estimated)
		return 0;
	now = bpf_ktime_get_ns();
	o->timed = true;
	o->ns = now - state->start_ns;
	state->latency = latency_bucket(o->ns);
	return now;
}

/* A program is busy in a call that does not sleep. */
static __always_inline void count_busy(struct iotrace_task_files *uses, const struct outcome *o)
{
	u64 ran = !(o->switched & CALL_WAITED);

	uses->busy.run_calls += ran;
	uses->busy.run_ns += ran * sampled_ns(o->ns);
}

/* Counts a call that has returned, and whose entry was seen, in all its places. */
static __always_inline void count_returned(struct task_struct *task, struct iotrace_task *state,
					   struct iotrace_task_files *uses,
					   const struct pt_regs *regs, u32 slot,
					   bool match_per_call, bool files, struct outcome *o)
{
	if (slot & SLOT_TRANSFERS)
		state->size = size_bucket(o->ret);
	if (files && state->files)
		slot = files_exit(task, state, uses, regs, slot, match_per_call, o);
	if (is_left_out(slot))
		return;
	if (files && state->files && cfg_latency)
		count_busy(uses, o);
	count_call(state, slot, o);
}

static __always_inline int leave(struct pt_regs *regs, long ret, bool match_per_call, bool files)
{
	u32 number = traced_number(regs, regs->orig_ax, match_per_call, false);
	struct iotrace_task *state = state_of(number);
	struct iotrace_task_files *uses;
	u32 key, slot, narrower;
	struct task_struct *task;
	struct outcome o = {};
	u64 now = 0;

	if (!state)
		return 0;
	uses = files ? files_of(state->files) : NULL;
	if (files && !uses)
		return 0;
	task = task_of(state);
	narrower = (task->thread_info.status & TS_COMPAT) * (32 / TS_COMPAT);
	/*
	 * The number in the registers is only a first filter: rt_sigreturn has overwritten it (-1),
	 * and execve may have changed the ABI (SLOT_LOOK). The entry probe stored which call this
	 * is.
	 */
	key = call_key(task, regs->orig_ax);
	if (!may_be_wanted(key, regs->orig_ax, false) || is_over(state))
		return 0;
	if (task->pending.signal.sig[0] & 1UL << (SIGKILL - 1) && dies_inside())
		return 0;
	if (files && !differs64(ret, 0) && is_exec(key))
		files_exec(state->files, state->flags & TASK_ARMED);
	/*
	 * Use 32 bits of 32-bit calls: sigreturn returns the eax that the signal interrupted, not
	 * sign-extended.
	 */
	ret = ret << narrower >> narrower;
	slot = state->slot;
	if (is_outside(state, match_per_call))
		leave_outside(state);
	if (cfg_may_miss)
		slot = own_slot(slot, key);
	if (cfg_latency && slot)
		now = measure_call(state, task, &o);
	state->slot = 0;
	if (state->flags & TASK_ARMED && !opens_window(state, key, slot, ret))
		return 0;
	o.ret = ret;
	o.failed = is_error(ret);
	if (slot && cfg_cpu)
		o.cpu_ns = cpu_time(state, task, now, o.ns);
	if (slot)
		count_returned(task, state, uses, regs, slot, match_per_call, files, &o);
	else
		return_without_entry(number, key, ret, match_per_call, has_filter(task));
	return 0;
}

static __always_inline int enter(struct pt_regs *regs, u64 id, bool match_per_call, bool files)
{
	u32 number = traced_number(regs, id, match_per_call, true), key, slot;
	struct iotrace_task *state = state_of(number);
	struct iotrace_task_files *uses;
	struct task_struct *task;

	if (!state)
		return 0;
	uses = files ? files_of(state->files) : NULL;
	if (files && !uses)
		return 0;
	task = task_of(state);
	key = call_key(task, id);
	if (slots[key] < SLOT_WANTED || is_over(state))
		return 0;
	slot = slot_for(key);
	if (!slot)
		return 0;
	if (files && state->files)
		slot = files_enter(task, state, uses, regs, slot);
	else if (files)
		slot = files_unknown(slot);
	if (!(state->flags & TASK_ARMED)) {
		if (counted(state->slot))
			__sync_fetch_and_add(&lost_calls, 1);
		if (is_outside(state, match_per_call))
			leave_outside(state); /* it has ended, unseen */
		if (counted(slot))
			count_entry(state, slot, match_per_call);
		state->flags &= ~TASK_MAYBE_IN_CALL;
	}
	if (files && !cfg_latency)
		state->nvcsw = task->nvcsw;
	/* The slot is stored last: a reader that sees it also sees its time. */
	if (cfg_latency) {
		state->nvcsw = task->nvcsw;
		state->nivcsw = task->nivcsw;
		state->start_ns = is_sampled(state) ? bpf_ktime_get_ns() : 0;
		if (cfg_cpu)
			state->cpu_exec = 0;
	}
	barrier();
	state->slot = slot;
	return 0;
}
