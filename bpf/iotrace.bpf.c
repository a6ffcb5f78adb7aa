// SPDX-License-Identifier: GPL-2.0
/*
 * The programs that see calls, and what they do at the entry and the return of each. The
 * configuration is const volatile, so the verifier removes code that is switched off.
 *
 * None of these programs is run on a CPU while it is preempted there: tracepoints run programs with
 * preemption off (include/trace/bpf_probe.h) or, since Linux 7.2, skip it
 * (kernel/trace/bpf_trace.c). And a task's state is written by the task alone. So neither per-CPU
 * cells nor states need atomics.
 */
#include "kernel/kernel.bpf.h"
#include "cells/buckets.bpf.h"
#include "cells/counts.bpf.h"
#include "cells/slots.bpf.h"
#include "cells/switches.bpf.h"
#include "cells/totals.bpf.h"
#include "tasks/marks.bpf.h"
#include "tasks/match.bpf.h"
#include "tasks/outside.bpf.h"
#include "tasks/sample.bpf.h"
#include "tasks/states.bpf.h"
#include "groups/count.bpf.h"
#include "groups/groups.bpf.h"
#include "files/calls.bpf.h"
#include "files/path_filter.bpf.h"
#include "stop.bpf.h"
/*
 * The result of a call: 32 bits of 32-bit calls, since sigreturn returns the eax that the signal
 * interrupted, not sign-extended.
 */
static __always_inline long own_bits(long ret, u32 compat)
{
	u32 narrower = !!compat * 32;

	return ret << narrower >> narrower;
}

/* Counts a call of a program, which is busy in one that does not sleep. */
static __always_inline void count_for_program(struct iotrace_task_files *files, u32 slept,
					      const struct outcome *o)
{
	u64 ns = is_timed(o) ? sampled_ns(o->ns) : 0;

	if (!cfg.latency || slept) {
		files->wait_calls++;
		files->wait_ns += ns;
	} else {
		files->run_calls++;
		files->run_ns += ns;
	}
}

/*
 * Returns whether the call that returns is in the window. A successful execve of an armed task is
 * the first call in it: this notes when it opened, disarms the task, and counts the call as begun,
 * by the new program.
 */
static __always_inline bool enter_window(struct iotrace_task *state,
					 struct iotrace_task_files *files, bool execs, u32 slot,
					 long ret, bool by_file, struct outcome *o)
{
	bool armed = state->flags & TASK_ARMED;

	if (ret == 0 && execs) {
		/* It is the last call of the program that has made it. */
		if (by_file && state->files && !armed && counted(slot)) {
			count_for_program(files, o->slept, o);
			o->of_program = true;
		}
		if (by_file)
			files_exec(state->files, armed);
		if (armed) {
			state->flags &= ~TASK_ARMED;
			window_start_ns = bpf_ktime_get_ns();
			if (counted(slot)) {
				open_window_in_group(state, slot);
				state->entered++;
			}
		}
		return true;
	}
	return !armed;
}

/* Can a seccomp filter answer calls of this task? */
static __always_inline bool has_filter(struct task_struct *task)
{
	return !bpf_core_field_exists(task->seccomp.mode) || task->seccomp.mode;
}

/*
 * Handles the return of a call whose entry was not seen, or not stored because nothing of it is
 * wanted but that it may open the window. A wanted one is of one of four kinds: the call that
 * created the task (one entry, two returns); a call that began before tracing, or before the task
 * moved into the cgroup; a call that a seccomp filter answered before the entry probe
 * (kernel/entry/common.c), which is counted without a time; and, without a filter, a call whose
 * entry probe the kernel skipped.
 */
__noinline int return_without_entry(u32 number, u64 id, long ret, bool match_per_call)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_task *state = state_of(number);
	u32 key = call_key(task, id), slot;
	struct outcome o = { .late = true };
	bool fresh;

	/* The number is a first filter: rt_sigreturn has overwritten it. */
	if (!state || !may_be_wanted(key, id, false))
		return 0;
	ret = own_bits(ret, task->thread_info.status & TS_COMPAT);
	if (!enter_window(state, NULL, is_exec(key), 0, ret, false, &o))
		return 0;
	if (slots[key] < SLOT_WANTED || (ret == 0 && slots[key] & SLOT_FORKS))
		return 0;
	fresh = state->flags & TASK_MAYBE_IN_CALL;
	if (fresh)
		state->flags &= ~TASK_MAYBE_IN_CALL;
	if (cfg.entries && (fresh || !has_filter(task))) {
		__sync_fetch_and_add(fresh || match_per_call ? &under_way : &lost_calls, 1);
		return 0;
	}
	slot = slot_for(key);
	if (!slot || row_filtered(ROW_NONE))
		return 0;
	count_late_entry(state, match_per_call);
	if (cfg_groups)
		enter_group(state, task, slot);
	o.ret = ret;
	o.failed = is_error(ret);
	count_call(state, slot, &o, false);
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
	void *process = FETCH(void *, task, bpf_core_field_offset(task->signal));
	unsigned long taken;
	int sig;

	sig = FETCH(int, process, cfg_task_at.exit_code) & 0x7f;
	if (!sig || sig == SIGKILL)
		return true;
	taken = 1UL << (sig - 1);
	if (task->pending.signal.sig[0] & taken)
		return false;
	return task->pid != task->tgid ||
	       !(FETCH(unsigned long, process, cfg_task_at.pending + cfg_task_at.pending_set) &
		 taken);
}

/*
 * Returns the slot, or 0 if an earlier call stored it: with cfg.may_miss, the return of that call
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

/* Measures the call that returns now. */
static __always_inline void measure_call(struct iotrace_task *state, const struct task_struct *task,
					 u64 now, struct outcome *o)
{
	o->slept = slept_since(state, task);
	o->preempted = preempted_since(state, task);
	o->ns = was_sampled(state) ? now - state->start_ns : ~0ULL;
}

/* Counts a call that has returned, and whose entry was seen, by syscall and by file. */
static __always_inline void count_returned(struct iotrace_task *state,
					   struct iotrace_task_files *files,
					   const struct pt_regs *regs, u32 slot,
					   bool match_per_call, bool by_file, struct outcome *o)
{
	if (by_file) {
		state->slept = o->slept;
		state->preempted = o->preempted;
	}
	if (by_file && is_timed(o))
		state->latency = latency_bucket_of(o->ns);
	if (by_file && slot & SLOT_TRANSFERS && !o->failed)
		state->size = size_bucket_of(o->ret);
	if (by_file && state->files)
		slot = files_exit(state, files, regs, slot, match_per_call, o);
	if (slot_filtered(slot))
		return;
	if (by_file && state->files && !o->of_program)
		count_for_program(files, state->slept, o);
	count_call(state, slot, o, by_file);
}

static __always_inline int on_sys_exit(struct pt_regs *regs, long ret, bool match_per_call,
				       bool by_file)
{
	u32 number = traced_number(regs, 0, match_per_call, false);
	struct iotrace_task *state = state_of(number);
	struct iotrace_task_files *files;
	struct task_struct *task;
	struct outcome o = {};
	u64 now = 0;
	u32 slot;

	if (!state || is_over(state))
		return 0;
	if (cfg.may_miss_execs && !still_allowed())
		return 0;
	/* The entry probe stored which call this is: its number may have been overwritten. */
	slot = state->slot;
	/* The processor reads the clock when all before has been done: so it is read first. */
	if (cfg.latency && slot && was_sampled(state))
		now = bpf_ktime_get_ns();
	files = by_file ? files_of(state->files) : NULL;
	if (by_file && !files)
		return 0;
	task = task_of(state);
	if (cfg.may_miss || !slot) {
		u32 key = call_key(task, regs->orig_ax);

		if (!may_be_wanted(key, regs->orig_ax, false))
			return 0;
		if (cfg.may_miss)
			slot = own_slot(slot, key);
		if (by_file && !slot && !ret && is_exec(key))
			files_exec(state->files, state->flags & TASK_ARMED);
	}
	if (task->pending.signal.sig[0] & 1UL << (SIGKILL - 1) && dies_inside())
		return 0;
	if (is_outside(state, match_per_call))
		leave_outside(state);
	if (!slot) {
		state->slot = 0;
		return return_without_entry(number, regs->orig_ax, ret, match_per_call);
	}
	if (cfg.latency)
		measure_call(state, task, now, &o);
	else if (by_file)
		o.slept = slept_since(state, task);
	state->slot = 0;
	ret = own_bits(ret, slot & SLOT_COMPAT);
	if ((slot & SLOT_EXECS || state->flags & TASK_ARMED) &&
	    !enter_window(state, files, slot & SLOT_EXECS, slot, ret, by_file, &o))
		return 0;
	o.ret = ret;
	o.failed = is_error(ret);
	if (cfg.cpu)
		o.cpu_ns = cpu_time(state, task, now, o.ns);
	count_returned(state, files, regs, slot, match_per_call, by_file, &o);
	return 0;
}

/* Counts the beginning of a call, which may not be a usual one. */
__noinline int begin_call(struct iotrace_task *state, u32 slot, bool match_per_call)
{
	if (!state || state->flags & TASK_ARMED)
		return 0;
	if (counted(state->slot))
		__sync_fetch_and_add(&lost_calls, 1);
	if (is_outside(state, match_per_call))
		leave_outside(state); /* That call has ended unseen. */
	if (counted(slot))
		count_entry(state, slot, match_per_call);
	state->flags &= ~TASK_MAYBE_IN_CALL;
	return 0;
}

static __always_inline int on_sys_enter(struct pt_regs *regs, u64 id, bool match_per_call,
					bool by_file)
{
	u32 number = traced_number(regs, id, match_per_call, true), key, slot;
	struct iotrace_task *state = state_of(number);
	struct iotrace_task_files *files;
	struct task_struct *task;

	if (!state)
		return 0;
	if (cfg.may_miss_execs && !still_allowed())
		return 0;
	files = by_file ? files_of(state->files) : NULL;
	if (by_file && !files)
		return 0;
	task = task_of(state);
	key = begun_key(state, task, id);
	if (is_over(state))
		return 0;
	slot = slot_for(key);
	if (!slot)
		return 0;
	if (by_file && state->files)
		slot = files_enter(task, state, files, regs, slot);
	else if (by_file)
		slot = files_unknown(slot);
	if (cfg_groups && !(state->flags & TASK_ARMED))
		enter_group(state, task, slot);
	if (state->flags & (TASK_ARMED | TASK_MAYBE_IN_CALL | TASK_OUTSIDE) || state->slot ||
	    (by_file && slot_filtered(slot)))
		begin_call(state, slot, match_per_call);
	else
		state->entered++;
	if (by_file && !cfg.latency)
		state->nvcsw = task->nvcsw;
	/* The slot is stored last: a reader that sees it also sees its time. */
	if (cfg.latency) {
		state->nvcsw = task->nvcsw;
		state->nivcsw = task->nivcsw;
		state->start_ns = is_sampled(state) ? bpf_ktime_get_ns() : 0;
		if (cfg.cpu)
			state->cpu_exec = 0;
	}
	barrier();
	state->slot = slot;
	return 0;
}

/*
 * libbpf takes these sections for perf's tracepoints, but user space attaches the programs to the
 * kernel's own (make_direct() in src/trace/bpf/load/programs.c), except from Linux 7.2 on.
 *
 * A tracepoint's arguments: the registers, and the number of the call or its result. perf's event
 * has a header, the number, and then the call's arguments or its result (the event's format in
 * tracefs). WORD() keeps the compiler from making two loads one with a variable place, which the
 * verifier refuses.
 */
#define WORD(event, i)                                                                          \
	({                                                                                      \
		u64 word;                                                                       \
		asm volatile("%0 = *(u64 *)(%1 + %2)" : "=r"(word) : "r"(event), "i"(8 * (i))); \
		word;                                                                           \
	})

static __always_inline struct pt_regs *registers_of(u64 *event)
{
	return cfg.perf_events ? own_registers() : (struct pt_regs *)WORD(event, 0);
}

static __always_inline long result_of(u64 *event)
{
	return (long)(cfg.perf_events ? WORD(event, 2) : WORD(event, 1));
}

/*
 * There is a program for each way to find the task, with and without per-file figures, so a run
 * pays only for what it uses: marked_*() are for tasks that were marked before, the command's or
 * those of -p, and matched_*() for tasks that are matched at each call, for -a and --cgroup. The
 * kernel keeps 15 bytes of their names. They come first because proving them safe takes longest,
 * and the others are loaded beside it.
 */
SEC("?tp/raw_syscalls/sys_exit")
int marked_exit(u64 *event)
{
	return on_sys_exit(registers_of(event), result_of(event), false, false);
}

SEC("?tp/raw_syscalls/sys_enter")
int marked_enter(u64 *event)
{
	return on_sys_enter(registers_of(event), WORD(event, 1), false, false);
}

SEC("?tp/raw_syscalls/sys_exit")
int marked_exit_files(u64 *event)
{
	return on_sys_exit(registers_of(event), result_of(event), false, true);
}

SEC("?tp/raw_syscalls/sys_enter")
int marked_enter_files(u64 *event)
{
	return on_sys_enter(registers_of(event), WORD(event, 1), false, true);
}

SEC("?tp/raw_syscalls/sys_exit")
int matched_exit(u64 *event)
{
	return on_sys_exit(registers_of(event), result_of(event), true, false);
}

SEC("?tp/raw_syscalls/sys_enter")
int matched_enter(u64 *event)
{
	return on_sys_enter(registers_of(event), WORD(event, 1), true, false);
}

SEC("?tp/raw_syscalls/sys_exit")
int matched_exit_files(u64 *event)
{
	return on_sys_exit(registers_of(event), result_of(event), true, true);
}

SEC("?tp/raw_syscalls/sys_enter")
int matched_enter_files(u64 *event)
{
	return on_sys_enter(registers_of(event), WORD(event, 1), true, true);
}

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
} grace SEC(".maps"); /* It is empty until then: filling it, too, waits. */

/* These programs come after those that see calls, which take longest to load. */
#include "lifetime.bpf.h"
#include "iterators.bpf.h"

char LICENSE[] SEC("license") = "GPL";
