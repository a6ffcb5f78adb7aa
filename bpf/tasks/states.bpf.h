/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The states of traced tasks, by number, and how a probe finds that of the current task.
 *
 * Both probes of a call are given the registers, which the kernel stack of the task holds at a
 * fixed offset. So while a task lives, their address is its own, at each entry and return, and
 * leads to its state by two loads, where a look-up in task storage takes as long as a third of a
 * write to the null device. The address selects a slot of a table. Two tasks may have the same
 * slot; the second is found by its task storage.
 *
 * A task takes its state, and its stack slot, at its first call; nobody else writes to either. So
 * what marks tasks from outside writes only to their marks, and to a count of the tasks that are to
 * be looked for in task storage. A task gives both back when it ends, before its stack can become
 * another's. Where the kernel may skip the probe that does so, all tasks are found by their task
 * storage.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "tasks/sample.bpf.h"

#ifndef NR_STACKS
#define NR_STACKS 32768
#endif
/*
 * No two stacks begin in the same 32 KiB: one has 16 (THREAD_SIZE; more with KASAN), to which it is
 * aligned, and a guard page behind it (alloc_thread_stack_node() in kernel/fork.c).
 */
#define STACK_STEP_LOG2 15

/* Numbers from 1 to below these are handed out. 0 stands for none. */
const volatile u32 cfg_end_state = 1;
const volatile u32 cfg_end_files = 1;

u32 next_state = 1;
u32 next_files = 1;
u32 unplaced; /* The number of tasks that user space has marked: it does not know their stacks. */

struct iotrace_stack stacks[NR_STACKS];

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_task);
} states SEC(".maps");

/*
 * The second part of states, if there are files. It is larger, and there are fewer: the calls of a
 * task that finds no room are counted, but not by file.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_task_files);
} task_files SEC(".maps");

/* The third part, if there are groups. Each state has one. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_task_group);
} task_groups SEC(".maps");

/* The numbers that were given back. */
struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 1);
	__uint(value_size, sizeof(u32));
} free_states SEC(".maps"), free_files SEC(".maps");

static __always_inline struct iotrace_task *state_of(u32 number)
{
	return number ? bpf_map_lookup_elem(&states, &number) : NULL;
}

static __always_inline struct task_struct *task_of(const struct iotrace_task *state)
{
	return current_task(state->task);
}

/*
 * There is a number 0 for the verifier, which would follow both ways from a pointer that may be
 * NULL.
 */
static __always_inline struct iotrace_task_files *files_of(u32 number)
{
	return bpf_map_lookup_elem(&task_files, &number);
}

static __always_inline struct iotrace_task_group *group_of(u32 number)
{
	return cfg_groups ? bpf_map_lookup_elem(&task_groups, &number) : NULL;
}

/* Only the distance of two addresses is a number that the verifier lets a program keep. */
static __always_inline u64 stack_key(const void *registers)
{
	u64 key = (u64)registers;

	asm volatile("%0 -= %1" : "+r"(key) : "r"(&unplaced));
	return key;
}

static __always_inline struct iotrace_stack *stack_of(u64 key)
{
	return &stacks[(key >> STACK_STEP_LOG2) % NR_STACKS];
}

/* Counts one more, or one less, of the tasks of a slot that are found by their task storage. */
static __always_inline void count_other(struct task_struct *task, s32 more)
{
	struct iotrace_stack *stack = stack_of(stack_key((void *)bpf_task_pt_regs(task)));

	__sync_fetch_and_add(&stack->others, more);
}

static __always_inline u32 new_number(void *free, u32 *next, u32 end)
{
	u32 number = 0;

	if (!bpf_map_pop_elem(free, &number) && number < end)
		return number;
	if (*next >= end)
		return 0;
	number = __sync_fetch_and_add(next, 1);
	return number < end ? number : 0;
}

static __always_inline void read_times(struct iotrace_times *times, const struct task_struct *task)
{
	times->at_ns = bpf_ktime_get_ns();
	times->user_ns = task->utime;
	times->system_ns = task->stime;
	times->ran_ns = task->se.sum_exec_runtime;
	times->sleeps = task->nvcsw;
	times->delayed_ns = 0;
	if (bpf_core_field_exists(task->sched_info.run_delay))
		times->delayed_ns = task->sched_info.run_delay;
}

/*
 * Returns a random number of 16 bits, the high ones of a linear congruential generator (Knuth, The
 * Art of Computer Programming, 3.2.1): the kernel's own takes longer than all else here.
 */
static __always_inline u32 random_16(struct iotrace_task_files *files)
{
	files->random = files->random * 1664525 + 1013904223;
	return files->random >> 16;
}

static __always_inline u32 begin_files(const struct iotrace_mark *mark, struct task_struct *task)
{
	u32 number = new_number(&free_files, &next_files, cfg_end_files);
	struct iotrace_task_files *files = files_of(number);

	if (!files || !number)
		return 0;
	__builtin_memset(files, 0, __builtin_offsetof(struct iotrace_task_files, cache));
	for (int i = 0; i < FILE_CACHE_ENTRIES; i++) {
		files->cache[i].row = ROW_NONE;
		files->cache[i].calls = 0;
		files->cache[i].cell_keys[0] = files->cache[i].cell_keys[1] = 0;
	}
	/* Its name until it executes a program, even if it uses no file before that. */
	BPF_CORE_READ_INTO(&files->program.comm, task, group_leader, comm);
	files->random = bpf_get_prandom_u32();
	files->since = mark->since;
	if (!files->since.at_ns)
		files->since.at_ns = task->start_time;
	return number;
}

/*
 * Gives a traced task a state. Call it in the task, or after tracing has ended. Returns its number;
 * 0: there is none left.
 */
static __always_inline u32 begin_state(struct iotrace_mark *mark, struct task_struct *task)
{
	u32 number = new_number(&free_states, &next_state, cfg_end_state);
	struct iotrace_task *state = state_of(number);

	if (!state)
		return 0;
	__builtin_memset(state, 0, sizeof(*state));
	state->task = (u64)task;
	state->flags = mark->flags;
	state->number = number;
	if (cfg.sample)
		next_sample(state);
	if (cfg_files)
		state->files = begin_files(mark, task);
	barrier();
	mark->number = number;
	return number;
}

/* The current task has a stack slot, or need not have one: it is not among the others. */
static __always_inline void leave_others(struct iotrace_mark *mark, struct task_struct *task)
{
	u32 old = __sync_fetch_and_and(&mark->flags, ~(TASK_OTHER | TASK_UNPLACED));

	if (old & TASK_OTHER)
		count_other(task, -1);
	if (old & TASK_UNPLACED)
		__sync_fetch_and_add(&unplaced, -1);
}

/* Makes the current task's state, which it has, the one that its stack leads to. */
static __always_inline void claim_stack_slot(struct iotrace_mark *mark, struct task_struct *task,
					     u64 key)
{
	struct iotrace_stack *stack = stack_of(key);

	if (!__sync_val_compare_and_swap(&stack->key, 0, key)) {
		stack->number = mark->number;
		mark->key = key;
		leave_others(mark, task);
	} else if (mark->flags & TASK_UNPLACED) {
		__sync_fetch_and_add(&stack->others, 1);
		__sync_fetch_and_or(&mark->flags, TASK_OTHER);
		__sync_fetch_and_and(&mark->flags, ~TASK_UNPLACED);
		__sync_fetch_and_add(&unplaced, -1);
	}
}

/* The current task ends, or is not traced any more: its stack leads nowhere. */
static __always_inline void release_stack_slot(struct iotrace_mark *mark, struct task_struct *task)
{
	if (!cfg.by_stack)
		return;
	if (mark->key) {
		struct iotrace_stack *stack = stack_of(mark->key);

		stack->number = 0;
		barrier();
		stack->key = 0;
		mark->key = 0;
	}
	leave_others(mark, task);
}

/* Gives back the state of the current task. */
static __always_inline void end_state(struct iotrace_mark *mark, struct task_struct *task)
{
	u32 number = mark->number, files;
	struct iotrace_task *state = state_of(number);

	release_stack_slot(mark, task);
	mark->number = 0;
	barrier();
	if (!state)
		return;
	files = state->files;
	if (cfg_files && files)
		bpf_map_push_elem(&free_files, &files, BPF_ANY);
	bpf_map_push_elem(&free_states, &number, BPF_ANY);
}
