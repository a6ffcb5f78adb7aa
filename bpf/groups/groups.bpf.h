/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who makes the calls: finds the group that a task belongs to. A task's group is looked up when its
 * first call begins, and when at a later one what it has in common with its group is not the same
 * any more: it has executed a program, or has another name or user, or was moved. To compare that
 * costs less than a tracepoint for each of these, and nothing is missed.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "groups/cells.bpf.h"
#include "groups/cgroups.bpf.h"
#include "tasks/pid_namespace.bpf.h"
#include "tasks/states.bpf.h"

const volatile u32 cfg_end_group = GROUP_FIRST; /* Numbers to below this are handed out. */
u32 next_group = GROUP_FIRST;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_group_key);
	__type(value, struct iotrace_group);
} groups SEC(".maps");

static __always_inline u32 user_of(const struct task_struct *task)
{
	return task->real_cred->uid.val;
}

/*
 * Does the task still have in common with its group what it had? A process keeps its id when it
 * executes another program, and a thread does, unless it becomes the first of its process.
 */
static __always_inline bool is_in_group(const struct iotrace_task_group *own,
					const struct task_struct *task)
{
	const u64 *comm = (const u64 *)task->comm;

	if (!(cfg_groups & ~BY_PROCESS))
		return true;
	if (cfg_groups & BY_COMM && (own->comm[0] != comm[0] || own->comm[1] != comm[1]))
		return false;
	if (cfg_groups & BY_THREAD && own->thread != (u32)task->pid)
		return false;
	if (cfg_groups & BY_USER && own->user != user_of(task))
		return false;
	return !(cfg_groups & BY_CGROUP) || own->cgroup == cgroup_id_of(task);
}

static __always_inline void fill_key(struct iotrace_group_key *key, struct task_struct *task)
{
	if (cfg_groups & BY_COMM)
		__builtin_memcpy(key->comm, task->comm, sizeof(key->comm));
	if (cfg_groups & BY_PROCESS) {
		key->process = task->tgid;
		key->process_ns = BPF_CORE_READ(task, group_leader, start_time);
	}
	if (cfg_groups & BY_THREAD) {
		key->thread = task->pid;
		key->thread_ns = task->start_time;
	}
	if (cfg_groups & BY_USER)
		key->user = user_of(task);
	if (cfg_groups & BY_CGROUP)
		key->cgroup = cgroup_id_of(task);
}

/* The name of a group is the latest one. */
static __always_inline void name_group(struct iotrace_group *group, struct task_struct *task)
{
	BPF_CORE_READ_INTO(&group->process_comm, task, group_leader, comm);
	__builtin_memcpy(group->thread_comm, task->comm, sizeof(group->thread_comm));
}

/* Makes a group. If another CPU was quicker, its group is there then. */
static __always_inline void make_group(const struct iotrace_group_key *key,
				       struct task_struct *task)
{
	struct iotrace_group new = {};

	/* A number that is not used after all is one group less. */
	if (next_group >= cfg_end_group)
		return;
	new.number = __sync_fetch_and_add(&next_group, 1);
	if (new.number >= cfg_end_group)
		return;
	new.process = visible_tgid(task);
	new.thread = visible_pid(task);
	bpf_map_update_elem(&groups, key, &new, BPF_NOEXIST);
	if (cfg_groups & BY_CGROUP)
		name_cgroup(key->cgroup);
}

/* Finds or makes the group of the current task, whose state this is. */
__noinline int change_group(struct iotrace_task *state)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_group_key key = {};
	struct iotrace_task_group *own = state ? group_of(state->number) : NULL;
	struct iotrace_group *group;

	if (!own)
		return 0;
	fill_key(&key, task);
	group = bpf_map_lookup_elem(&groups, &key);
	if (!group) {
		make_group(&key, task);
		group = bpf_map_lookup_elem(&groups, &key);
	}
	if (group)
		name_group(group, task);
	__builtin_memset(own->known, 0, sizeof(own->known));
	__builtin_memcpy(own->comm, task->comm, sizeof(own->comm));
	own->thread = task->pid;
	own->user = cfg_groups & BY_USER ? user_of(task) : 0;
	own->cgroup = cfg_groups & BY_CGROUP ? cgroup_id_of(task) : 0;
	state->group = group ? group->number : GROUP_OTHER;
	return 0;
}

/*
 * Gives the group of a task its latest name, because the task or tracing ends: names are not
 * compared at each call unless they are what groups are told apart by.
 */
static __noinline void rename_group(struct task_struct *task)
{
	struct iotrace_group_key key = {};
	struct iotrace_group *group;

	if (!(cfg_groups & (BY_PROCESS | BY_THREAD)))
		return;
	fill_key(&key, task);
	group = bpf_map_lookup_elem(&groups, &key);
	if (group)
		name_group(group, task);
}

/* The current task opens the window by its execve, and makes that call as the new program. */
__noinline int open_window_in_group(struct iotrace_task *state, u32 slot)
{
	const struct iotrace_task_group *own = state ? group_of(state->number) : NULL;

	if (!own)
		return 0;
	change_group(state);
	remember_group_cell(state, own, slot);
	return 0;
}

/* A call of the current task begins: finds its group. */
static __always_inline void enter_group(struct iotrace_task *state, const struct task_struct *task,
					u32 slot)
{
	const struct iotrace_task_group *own;

	/* A process stays one, and most calls are the same again. */
	if (!(cfg_groups & ~BY_PROCESS) && is_same_place(state, slot))
		return;
	own = group_of(state->number);
	if (!own)
		return;
	if (!(state->group && is_in_group(own, task)))
		change_group(state);
	remember_group_cell(state, own, slot);
}
