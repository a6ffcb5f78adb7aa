// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/access.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "trace/bpf/vmlinux_btf.h"
#include "trace/privilege.h"

static int find_ids(const struct vmlinux_btf *types, struct iotrace_access_offsets *at)
{
	const struct {
		const char *member;
		uint32_t *place;
	} wanted[] = {
		{ "uid", &at->uid },
		{ "euid", &at->euid },
		{ "suid", &at->suid },
		{ "gid", &at->gid },
		{ "egid", &at->egid },
		{ "sgid", &at->sgid },
		{ "cap_permitted", &at->caps },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		long offset = vmlinux_btf_offset(types, "cred", wanted[i].member);

		if (offset < 0)
			return -EOPNOTSUPP;
		*wanted[i].place = offset;
	}
	return 0;
}

static int find_dumpable(const struct vmlinux_btf *types, struct iotrace_access_offsets *at)
{
	long state, value, flags;

	/* Since Linux 7.2 (include/linux/sched/exec_state.h). */
	state = vmlinux_btf_offset(types, "task_struct", "exec_state");
	value = vmlinux_btf_offset(types, "task_exec_state", "dumpable");
	/* A word before 6.18; since then the first word of a bitmap. */
	flags = vmlinux_btf_offset(types, "mm_struct", "flags");
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

/*
 * The probes do not use CO-RE for these: if the kernel lacks a struct, libbpf searches the modules,
 * which needs more than CAP_BPF.
 */
static int find_offsets(struct iotrace_access_offsets *at)
{
	const struct vmlinux_btf *types = vmlinux_btf_read();
	int err = types ? find_ids(types, at) : -EOPNOTSUPP;

	return err ? err : find_dumpable(types, at);
}

int bpf_access_configure(struct iotrace_bpf *skel, char *why, size_t size)
{
	struct iotrace_bpf__rodata *config = skel->rodata;
	int err;

	if (!config->cfg.access)
		return 0;
	config->cfg_access_uid = getuid();
	config->cfg_access_gid = getgid();
	config->cfg_access_caps = privilege_permitted();
	err = find_offsets((struct iotrace_access_offsets *)&config->cfg_access_at);
	if (err)
		snprintf(why, size,
			 "this kernel's BTF does not say whose a process is, and so which ones you "
			 "may trace: use sudo");
	return err;
}
