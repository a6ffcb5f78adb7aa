// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/access.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "trace/bpf/kernel_types.h"
#include "trace/privilege.h"

/*
 * Finds where the kernel stores whether a process is dumpable. The probes do not use CO-RE for
 * that: if the kernel lacks the struct, libbpf searches the modules, which needs more than CAP_BPF.
 */
static int find_dumpable(struct iotrace_dumpable *at)
{
	struct btf *btf = kernel_types_load();
	long state, value, flags;

	if (!btf)
		return -EOPNOTSUPP;
	/* Since Linux 7.2 (include/linux/sched/exec_state.h). */
	state = kernel_types_offset(btf, "task_struct", "exec_state");
	value = kernel_types_offset(btf, "task_exec_state", "dumpable");
	/* A word before 6.18; since then the first word of a bitmap. */
	flags = kernel_types_offset(btf, "mm_struct", "flags");
	kernel_types_keep(btf);
	if (state > 0 && value > 0) {
		at->task_state = state;
		at->state_value = value;
	} else if (state < 0 && value < 0 && flags > 0) {
		at->mm_flags = flags;
	} else {
		return -EOPNOTSUPP;
	}
	return 0;
}

int bpf_access_configure(struct iotrace_bpf *skel, char *why, size_t size)
{
	struct iotrace_bpf__rodata *config = skel->rodata;
	int err;

	config->cfg_access = !privilege_may_trace_all();
	if (!config->cfg_access)
		return 0;
	config->cfg_access_uid = getuid();
	config->cfg_access_gid = getgid();
	config->cfg_access_caps = privilege_permitted();
	err = find_dumpable((struct iotrace_dumpable *)&config->cfg_dumpable);
	if (err)
		snprintf(
			why, size,
			"this kernel's BTF does not say which processes are dumpable, and so which "
			"you may trace: use sudo");
	return err;
}
