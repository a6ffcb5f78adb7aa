/* SPDX-License-Identifier: GPL-2.0 */
/* The programs that user space runs by itself: over all tasks, or once. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/slots.bpf.h"
#include "cells/totals.bpf.h"
#include "tasks/marks.bpf.h"
#include "tasks/pid_namespace.bpf.h"
#include "tasks/states.bpf.h"
#include "groups/groups.bpf.h"
#include "files/path_filter.bpf.h"
#include "files/paths.bpf.h"
#include "files/rows.bpf.h"
#include "files/users.bpf.h"

u32 list_all; /* User space sets it for dump_tasks() to write all traced tasks. */

/*
 * Begins to trace all threads of the targets. newtask() handles threads that are born meanwhile; do
 * not wait for those that end.
 */
SEC("?iter/task")
int mark_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct iotrace_mark *mark;

	if (!task || task->flags & PF_EXITING)
		return 0;
	if (!of_target(task)) {
		if (refused(NULL))
			__sync_fetch_and_add(&refused_reads, 1);
		return 0;
	}
	mark = make_mark(task);
	/* User space asks the kernel afterwards whether it may trace the process. */
	if (cfg.may_miss_execs && mark && !mark->exec_id)
		mark->exec_id = task->self_exec_id;
	if (!mark)
		__sync_fetch_and_add(&lost_tasks, 1);
	else if (cfg.match_per_call)
		__sync_fetch_and_or(&mark->flags, TASK_ALLOWED);
	else if (!(mark->flags & (TASK_TRACED | TASK_EXCLUDED))) {
		read_times(&mark->since, task);
		trace_task(task, mark, TASK_MAYBE_IN_CALL);
	}
	return 0;
}

/*
 * The slot of the wanted call that a sleeping task has been in since before tracing began. 0: none
 * is known.
 */
static __always_inline u32 slot_from_before(struct task_struct *task, u32 flags)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	u32 key = call_key(task, regs->orig_ax);

	/*
	 * A task in user mode is running; a task that sleeps in a page fault has no number in its
	 * registers.
	 */
	if (!(flags & TASK_MAYBE_IN_CALL) || !task->__state || slots[key] < SLOT_WANTED)
		return 0;
	return row_filtered(ROW_NONE) ? 0 : slot_for(key);
}

/* Runs once before tracing, in a task of iotrace: identifies its root and the files of -P. */
SEC("?iter/task")
int identify_files(struct bpf_iter__task *ctx)
{
	if (ctx->meta->seq_num)
		return 0;
	identify_root();
	identify_filter_files();
	return 0;
}

static long name_row(void *map, const struct iotrace_file_key *key, struct iotrace_file *row,
		     void *arg)
{
	name_again(key, row);
	return 0;
}

/*
 * Runs once, in a task of iotrace: gives each file the name that it has now. An iterator over the
 * map itself (iter/bpf_map_elem) is refused by some kernels that allow this one.
 */
SEC("?iter/task")
int name_files(struct bpf_iter__task *ctx)
{
	if (!ctx->meta->seq_num)
		bpf_for_each_map_elem(&file_rows, name_row, NULL, 0);
	return 0;
}

/*
 * Lets user space read what only task storage holds: the calls entered, and the calls that tasks
 * are in.
 */
SEC("iter/task")
int dump_tasks(struct bpf_iter__task *ctx)
{
	struct iotrace_task_record record = {};
	struct seq_file *out = ctx->meta->seq;
	struct task_struct *task = ctx->task;
	struct iotrace_task *state;
	struct iotrace_mark *mark;
	u32 number, flags;

	find_pid_namespace();
	if (!task)
		return 0;
	mark = bpf_task_storage_get(&tasks, task, 0, 0);
	if (refused(mark))
		__sync_fetch_and_add(&refused_reads, 1);
	if (!mark || !(mark->flags & TASK_TRACED))
		return 0;
	number = mark->number;
	state = state_of(number);
	flags = state ? state->flags : mark->flags;
	if (flags & TASK_ARMED)
		return 0;
	if (cfg.storage_locks && !(task->flags & PF_EXITING))
		seen_tasks++;
	/* At the end of tracing, this or task_exit() accounts for a task, whichever comes first. */
	if (stopped && (__sync_fetch_and_or(&mark->flags, TASK_READ) &
			(TASK_EXCLUDED | TASK_READ)) == TASK_EXCLUDED)
		return 0;
	if (stopped && cfg_files)
		flush_figures(number ?: begin_state(mark, task), task);
	else if (cfg_files)
		look_at_busy(mark, number, task);
	if (cfg_groups && number)
		rename_group(task);
	if (state) {
		record.slot = state->slot;
		record.start_ns = state->start_ns;
		record.entered = state->entered;
	}
	/* It has ended meanwhile, and its state may be another's. */
	barrier();
	if (mark->number != number && number)
		return 0;
	if (!record.slot) {
		record.slot = slot_from_before(task, flags);
		record.before = record.slot != 0;
	}
	record.slot = counted(record.slot);
	if (!record.slot && !record.entered && !list_all)
		return 0;
	record.pid = visible_pid(task);
	record.tgid = visible_tgid(task);
	__builtin_memcpy(record.comm, task->comm, sizeof(record.comm));
	bpf_seq_write(out, &record, sizeof(record));
	return 0;
}
