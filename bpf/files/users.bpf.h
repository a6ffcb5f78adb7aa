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

/*
 * What finds no room in these two is added up by name here: a build has few programs, and
 * thousands of processes. So are the calls of a child until it executes a program, if none of them
 * was about a file.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_file_comm_key);
	__type(value, struct iotrace_file_comm);
} more_file_users SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, char[16]);
	__type(value, struct iotrace_comm);
} more_programs SEC(".maps");

/* The calls of each group on a file (--by). */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_file_group_key);
	__type(value, u64); /* A number of calls. */
} file_groups SEC(".maps");

struct iotrace_busy busy_of_others; /* The sum of the programs that have no room even so. */
/* The sum of what running tasks have not added yet; user space sets it to 0 before dump_tasks(). */
struct iotrace_busy busy_so_far;

/* These begin a row. The stack has no room for them (512 bytes, with that of all callers). */
const struct iotrace_file_comm no_uses = {};
const struct iotrace_comm no_times = {};

static __always_inline void add_use_by_comm(const struct iotrace_file_program *program, u32 row,
					    u64 calls)
{
	struct iotrace_file_comm_key key = { .row = row };
	struct iotrace_file_comm *users;

	__builtin_memcpy(key.comm, program->comm, sizeof(key.comm));
	users = bpf_map_lookup_elem(&more_file_users, &key);
	if (!users) {
		/* If another CPU was quicker, it is there now. */
		bpf_map_update_elem(&more_file_users, &key, &no_uses, BPF_NOEXIST);
		users = bpf_map_lookup_elem(&more_file_users, &key);
	}
	if (!users) {
		__sync_fetch_and_add(&lost_file_users, 1);
		return;
	}
	__sync_fetch_and_add(&users->calls, calls);
	if (users->pid != program->pid)
		__sync_fetch_and_add(&users->processes, 1);
	users->pid = program->pid;
}

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
		add_use_by_comm(program, key.row, calls);
	return 0;
}

/* Adds calls of a group to those that it made on a file. */
__noinline int add_group_use(u32 group, u32 row, u64 calls)
{
	struct iotrace_file_group_key key = { .row = row & ROW_MASK, .group = group };
	u64 *sum;

	/* Before Linux 6.8 this is checked even if it is never called, and the map is not there. */
	if (!cfg_files || !cfg_groups)
		return 0;
	sum = bpf_map_lookup_elem(&file_groups, &key);
	if (!sum) {
		/* If another CPU was quicker, it is there now. */
		if (!bpf_map_update_elem(&file_groups, &key, &calls, BPF_NOEXIST))
			return 0;
		sum = bpf_map_lookup_elem(&file_groups, &key);
	}
	__sync_fetch_and_add(sum ? sum : &ungrouped_uses, calls);
	return 0;
}

/* Adds calls of the task on a file to those of its program, and of its group. */
static __always_inline void add_uses(const struct iotrace_task_files *files, u32 row, u64 calls)
{
	add_use(&files->program, row, calls);
	if (cfg_groups && files->group)
		add_group_use(files->group, row, calls);
}

static __always_inline void flush_cache_entry(struct iotrace_task_files *files,
					      struct iotrace_file_cache_entry *entry)
{
	if (entry->calls && (entry->row & ROW_MASK) != ROW_OTHER)
		add_uses(files, entry->row, entry->calls);
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

/* The calls of the task are another group's from now on. */
__noinline int use_as_group(struct iotrace_task_files *files, u32 group)
{
	if (!cfg_files || !files)
		return 0;
	flush_uses(files);
	files->group = group;
	return 0;
}

static __always_inline void set_program(struct iotrace_file_program *program,
					struct task_struct *task)
{
	program->pid = task->tgid;
	program->visible_pid = visible_tgid(task);
	BPF_CORE_READ_INTO(&program->comm, task, group_leader, comm);
}

/* Notes how long a task of the program lived and slept. Two CPUs at once may lose one of both. */
static __always_inline void note_span(struct iotrace_program *program,
				      const struct iotrace_task_files *files,
				      const struct iotrace_times *now)
{
	u64 since = files->since.at_ns, awake = now->ran_ns - files->since.ran_ns;
	u64 delayed_ns = now->delayed_ns - files->since.delayed_ns;

	__sync_fetch_and_add(&program->delayed_ns, delayed_ns);
	if (!program->first_ns || since < program->first_ns)
		program->first_ns = since;
	if (now->at_ns > program->last_ns)
		program->last_ns = now->at_ns;
	if (files->run_calls < program->slept_calls)
		return;
	awake += delayed_ns;
	program->slept_calls = files->run_calls;
	program->sleeps = now->sleeps - files->since.sleeps;
	program->slept_ns = now->at_ns - since > awake ? now->at_ns - since - awake : 0;
}

static __always_inline void forget_calls(struct iotrace_task_files *files)
{
	files->run_ns = files->run_calls = 0;
	files->wait_ns = files->wait_calls = 0;
}

static __always_inline void start_times(struct iotrace_task_files *files,
					const struct iotrace_times *now)
{
	files->since = *now;
	forget_calls(files);
}

/* Returns where the times of a program are added up that has no place of its own. */
static __always_inline struct iotrace_busy *busy_by_comm(const struct iotrace_file_program *program,
							 bool is_first_thread)
{
	struct iotrace_comm *all;
	char comm[16];

	__builtin_memcpy(comm, program->comm, sizeof(comm));
	all = bpf_map_lookup_elem(&more_programs, comm);
	if (!all) {
		bpf_map_update_elem(&more_programs, comm, &no_times, BPF_NOEXIST);
		all = bpf_map_lookup_elem(&more_programs, comm);
	}
	if (all && is_first_thread)
		__sync_fetch_and_add(&all->processes, 1);
	return all ? &all->busy : &busy_of_others;
}

/* Adds the calls of a task, since they were last added, to its program's. */
static __always_inline void add_calls(struct iotrace_busy *sum, struct iotrace_task_files *files)
{
	__sync_fetch_and_add(&sum->run_ns, files->run_ns);
	__sync_fetch_and_add(&sum->run_calls, files->run_calls);
	__sync_fetch_and_add(&sum->wait_ns, files->wait_ns);
	__sync_fetch_and_add(&sum->wait_calls, files->wait_calls);
	forget_calls(files);
}

/* Adds a task's times, since they were last added, to its program's. */
static __always_inline void flush_times(struct iotrace_task_files *files,
					const struct iotrace_times *now, u32 parent,
					bool is_first_thread)
{
	/* Before Linux 6.1 a key must be on the stack or in a map. */
	struct iotrace_file_program key = files->program;
	struct iotrace_program new = { .exe_row = files->exe_row, .parent = parent }, *program;
	struct iotrace_busy *sum;

	program = bpf_map_lookup_elem(&programs, &key);
	if (!program) {
		/* If another CPU was quicker, it is there now. */
		bpf_map_update_elem(&programs, &key, &new, BPF_NOEXIST);
		program = bpf_map_lookup_elem(&programs, &key);
	}
	sum = program ? &program->busy : busy_by_comm(&files->program, is_first_thread);
	__sync_fetch_and_add(&sum->user_ns, now->user_ns - files->since.user_ns);
	__sync_fetch_and_add(&sum->system_ns, now->system_ns - files->since.system_ns);
	/*
	 * A thread that used no file does not know it. The last one counts: a script may have
	 * executed the program that it is named after.
	 */
	if (program && files->exe_row)
		program->exe_row = files->exe_row;
	if (program)
		note_span(program, files, now);
	add_calls(sum, files);
	start_times(files, now);
}

/* Adds the calls of a task that has used no file since it began, and executes another program. */
static __always_inline void flush_calls(struct iotrace_task_files *files, bool is_first_thread)
{
	add_calls(busy_by_comm(&files->program, is_first_thread), files);
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

__noinline int add_figures(struct iotrace_task_files *files, const struct iotrace_times *now,
			   u32 parent, bool is_first_thread)
{
	if (!cfg_files || !files || !now)
		return 0;
	flush_uses(files);
	flush_times(files, now, parent, is_first_thread);
	return 0;
}

static __always_inline void flush_files(struct iotrace_task_files *files, struct task_struct *task)
{
	struct iotrace_times now;

	read_times(&now, task);
	add_figures(files, &now, visible_tgid(task->real_parent), task->pid == task->tgid);
}

/* Adds how long a running task was busy. Nothing is moved: the task itself goes on adding. */
static __always_inline void look_at_busy(const struct iotrace_mark *mark, u32 number,
					 struct task_struct *task)
{
	const struct iotrace_task *state = state_of(number);
	const struct iotrace_times *since = &mark->since;
	struct iotrace_task_files *files = NULL;

	if (number && state && state->files)
		files = files_of(state->files);
	if (files) {
		since = &files->since;
		busy_so_far.run_ns += files->run_ns;
		busy_so_far.run_calls += files->run_calls;
	}
	busy_so_far.user_ns += task->utime - since->user_ns;
	busy_so_far.system_ns += task->stime - since->system_ns;
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
	flush_files(files, task);
}
