/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts for each program how often it used a file, and how long it was busy. A program is a
 * process until it executes another one.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "cells/totals.bpf.h"
#include "tasks/pid_namespace.bpf.h"
#include "tasks/states.bpf.h"
#include "files/rows.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_file_user_key);
	__type(value, u64); /* A number of calls. */
} file_users SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_file_program);
	__type(value, struct iotrace_program);
} programs SEC(".maps");

struct iotrace_busy busy_of_others; /* The sum of the programs that there is no room for. */

/* Adds calls of a program to those that it made on a file. */
__noinline int add_use(const struct iotrace_file_program *program, u32 row, u64 calls)
{
	struct iotrace_file_user_key key = { .row = row & ROW_MASK };
	u64 *sum;

	if (!cfg_files || !program)
		return 0;
	key.program = *program;
	sum = bpf_map_lookup_elem(&file_users, &key);
	if (sum) {
		__sync_fetch_and_add(sum, calls);
		return 0;
	}
	/* If another CPU was quicker, it is there now. */
	if (!bpf_map_update_elem(&file_users, &key, &calls, BPF_NOEXIST))
		return 0;
	sum = bpf_map_lookup_elem(&file_users, &key);
	if (sum)
		__sync_fetch_and_add(sum, calls);
	else
		__sync_fetch_and_add(&lost_file_users, 1);
	return 0;
}

static __always_inline void flush_cache_entry(struct iotrace_task_files *files,
					      struct iotrace_file_cache_entry *entry)
{
	if (entry->calls && (entry->row & ROW_MASK) != ROW_OTHER)
		add_use(&files->program, entry->row, entry->calls);
	entry->calls = 0;
}

__noinline int flush_nth_entry(struct iotrace_task_files *files, u32 i)
{
	if (!cfg_files || !files || i >= FILE_CACHE_ENTRIES)
		return 0;
	flush_cache_entry(files, &files->cache[i]);
	files->cache[i].unreported = 0;
	return 0;
}

/*
 * Adds the calls that a task has counted to those of the files' users. The next one tells of the
 * user at once.
 */
static __always_inline void flush_uses(struct iotrace_task_files *files)
{
	for (u32 i = 0; i < FILE_CACHE_ENTRIES; i++)
		flush_nth_entry(files, i);
}

static __always_inline void set_program(struct iotrace_file_program *program,
					struct task_struct *task)
{
	program->pid = task->tgid;
	program->visible_pid = visible_tgid(task);
	BPF_CORE_READ_INTO(&program->comm, task, group_leader, comm);
}

/* Adds the time that a task was busy, since it was last added, to its program's. */
static __always_inline void flush_busy(struct iotrace_task_files *files, u64 user_ns, u64 system_ns)
{
	/* Before Linux 6.1 a key must be on the stack or in a map. */
	struct iotrace_file_program key = files->program;
	struct iotrace_program new = { .exe_row = files->exe_row }, *program;
	struct iotrace_busy *sum;

	program = bpf_map_lookup_elem(&programs, &key);
	if (!program) {
		/* If another CPU was quicker, it is there now. */
		bpf_map_update_elem(&programs, &key, &new, BPF_NOEXIST);
		program = bpf_map_lookup_elem(&programs, &key);
	}
	sum = program ? &program->busy : &busy_of_others;
	__sync_fetch_and_add(&sum->user_ns, user_ns - files->busy.user_ns);
	__sync_fetch_and_add(&sum->system_ns, system_ns - files->busy.system_ns);
	__sync_fetch_and_add(&sum->run_ns, files->busy.run_ns);
	__sync_fetch_and_add(&sum->run_calls, files->busy.run_calls);
	/*
	 * A thread that used no file does not know it. The last one counts: a script may have
	 * executed the program that it is named after.
	 */
	if (program && files->exe_row)
		program->exe_row = files->exe_row;
	start_busy(files, user_ns, system_ns);
}

/* The current task executes another program, or is seen for the first time. */
static __always_inline void begin_program(struct iotrace_task_files *files, u32 which)
{
	set_program(&files->program, bpf_get_current_task_btf());
	files->exe_row = row_of_executable(which);
}

static __always_inline void know_program(struct iotrace_task_files *files, u32 which)
{
	if (!files->program.pid)
		begin_program(files, which);
}

__noinline int add_figures(struct iotrace_task_files *files, u64 user_ns, u64 system_ns)
{
	if (!cfg_files || !files)
		return 0;
	flush_uses(files);
	flush_busy(files, user_ns, system_ns);
	return 0;
}

/*
 * Moves the figures that a task holds to the maps that user space reads, because its program or
 * tracing ends.
 */
static __always_inline void flush_figures(u32 number, struct task_struct *task)
{
	const struct iotrace_task *state = state_of(number);
	struct iotrace_task_files *files;

	if (!cfg_files || !state)
		return;
	files = files_of(state->files);
	if (!files || !state->files)
		return;
	if (!files->program.pid)
		set_program(&files->program, task);
	add_figures(files, task->utime, task->stime);
}
