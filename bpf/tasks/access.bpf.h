/* SPDX-License-Identifier: GPL-2.0 */
/* Decides which tasks a user without CAP_SYS_PTRACE may trace. */
#pragma once

#include "kernel/kernel.bpf.h"

/* With cfg.access, only the tasks of this user may be traced. */
const volatile u32 cfg_access_uid = 0;
const volatile u32 cfg_access_gid = 0;
const volatile u64 cfg_access_caps = 0; /* The capabilities that such a task may have. */
const volatile struct iotrace_access_offsets cfg_access_at = {};

/* MMF_DUMPABLE_MASK of include/linux/mm_types.h, and the only value that lets others look. */
#define DUMPABLE_MASK 3
#define DUMP_BY_USER  1

static __always_inline bool is_dumpable(struct task_struct *task)
{
	void *mm = task->mm;

	if (!mm)
		return false;
	if (cfg_access_at.task_state)
		return FETCH(u32, FETCH(void *, task, cfg_access_at.task_state),
			     cfg_access_at.state_value) == DUMP_BY_USER;
	return (FETCH(u64, mm, cfg_access_at.mm_flags) & DUMPABLE_MASK) == DUMP_BY_USER;
}

/*
 * The kernel's own rule for a user without CAP_SYS_PTRACE (__ptrace_may_access() in kernel/ptrace.c
 * and cap_ptrace_access_check()): all ids of the task are the user's, it is dumpable, and it has no
 * more capabilities.
 */
static __always_inline bool may_trace(struct task_struct *task)
{
	const struct cred *cred = task->real_cred;
	u64 caps;

	if (FETCH(u32, cred, cfg_access_at.uid) != cfg_access_uid ||
	    FETCH(u32, cred, cfg_access_at.euid) != cfg_access_uid ||
	    FETCH(u32, cred, cfg_access_at.suid) != cfg_access_uid ||
	    FETCH(u32, cred, cfg_access_at.gid) != cfg_access_gid ||
	    FETCH(u32, cred, cfg_access_at.egid) != cfg_access_gid ||
	    FETCH(u32, cred, cfg_access_at.sgid) != cfg_access_gid)
		return false;
	/* Before Linux 6.3 it is two numbers. */
	caps = FETCH(u32, cred, cfg_access_at.caps) |
	       (u64)FETCH(u32, cred, cfg_access_at.caps + sizeof(u32)) << 32;
	if (caps & ~cfg_access_caps)
		return false;
	return is_dumpable(task);
}
