/* SPDX-License-Identifier: GPL-2.0 */
/*
 * iotrace sees the tasks of its own PID namespace by their ids there, as ps(1) and kill(1) do. A
 * task has an id in its own namespace and in each one above it (struct pid in include/linux/pid.h).
 */
#pragma once

#include "kernel.bpf.h"

const volatile u32 cfg_pid_namespace = 0; /* inode number of iotrace's; 0: the first of all */
u32 pid_namespace_level;		  /* how many namespaces are above it */

/* The id of a task in iotrace's PID namespace; 0: the task is outside of it. */
static __always_inline s32 visible_pid(struct task_struct *task)
{
	struct upid upid = {};
	struct pid *pid;
	u32 inum = 0;

	if (!cfg_pid_namespace)
		return task->pid;
	pid = task->thread_pid;
	if (!pid || pid->level < pid_namespace_level)
		return 0;
	bpf_probe_read_kernel(&upid, sizeof(upid),
			      (void *)pid + bpf_core_field_offset(struct pid, numbers) +
				      pid_namespace_level * sizeof(upid));
	bpf_probe_read_kernel(&inum, sizeof(inum), &upid.ns->ns.inum);
	return inum == cfg_pid_namespace ? upid.nr : 0;
}

/* The id of the task's process there. */
static __always_inline s32 visible_tgid(struct task_struct *task)
{
	return cfg_pid_namespace ? visible_pid(task->group_leader) : task->tgid;
}

/* Call it in a task of iotrace. */
static __always_inline void find_pid_namespace(void)
{
	struct task_struct *self = bpf_get_current_task_btf();

	if (cfg_pid_namespace)
		pid_namespace_level = self->thread_pid->level;
}
