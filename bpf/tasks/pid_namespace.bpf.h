/* SPDX-License-Identifier: GPL-2.0 */
/*
 * iotrace sees the tasks of its own PID namespace by their ids there, as ps(1) and kill(1) do. A
 * task has an id in its own namespace and in each one above it (struct pid in include/linux/pid.h).
 */
#pragma once

#include "kernel/kernel.bpf.h"

const volatile u32 cfg_pid_namespace = 0; /* Inode number of iotrace's. 0: it is the first one. */
u32 pid_namespace_level;		  /* The number of namespaces above it. */

/* The id of a task in iotrace's PID namespace. 0: the task is outside of it. */
static __always_inline s32 visible_pid(struct task_struct *task)
{
	struct {
		s32 nr;
		void *ns;
	} upid = {}; /* This is struct upid of include/linux/pid.h. */
	void *pid;

	if (!cfg_pid_namespace)
		return task->pid;
	pid = BPF_CORE_READ(task, thread_pid);
	if (!pid || PEEK(u32, pid, cfg_task_at.pid_level) < pid_namespace_level)
		return 0;
	bpf_probe_read_kernel(&upid, sizeof(upid),
			      pid + cfg_task_at.pid_numbers + pid_namespace_level * sizeof(upid));
	return PEEK(u32, upid.ns, cfg_task_at.ns_common + cfg_task_at.ns_inum) == cfg_pid_namespace
		       ? upid.nr
		       : 0;
}

/* The id of the task's process there. */
static __always_inline s32 visible_tgid(struct task_struct *task)
{
	return cfg_pid_namespace ? visible_pid(BPF_CORE_READ(task, group_leader)) : task->tgid;
}

/* Finds the level of the current task's namespace, in a task of iotrace. */
static __always_inline void find_pid_namespace(void)
{
	struct task_struct *self = bpf_get_current_task_btf();

	if (cfg_pid_namespace)
		pid_namespace_level =
			PEEK(u32, BPF_CORE_READ(self, thread_pid), cfg_task_at.pid_level);
}
