// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/load/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "trace/bpf/start/vmlinux_btf.h"
#include "trace/kernel.h"

/* A member to look for in the kernel's BTF, and where its offset goes in the struct of offsets. */
struct wanted_offset {
	const char *type, *member;
	size_t at;
};

static const struct wanted_offset task_offsets[] = {
#define TASK_ROW(type, member, name) { type, member, offsetof(struct iotrace_task_offsets, name) },
	TASK_OFFSETS(TASK_ROW)
};

static const struct wanted_offset file_offsets[] = {
#define FILE_ROW(type, member, name) { type, member, offsetof(struct iotrace_file_offsets, name) },
	FILE_OFFSETS(FILE_ROW)
};

static const struct wanted_offset tcp_offsets[] = {
#define TCP_ROW(type, member, name) { type, member, offsetof(struct iotrace_tcp_offsets, name) },
	TCP_OFFSETS(TCP_ROW)
};

static const struct wanted_offset id_offsets[] = {
	{ "cred", "uid", offsetof(struct iotrace_access_offsets, uid) },
	{ "cred", "euid", offsetof(struct iotrace_access_offsets, euid) },
	{ "cred", "suid", offsetof(struct iotrace_access_offsets, suid) },
	{ "cred", "gid", offsetof(struct iotrace_access_offsets, gid) },
	{ "cred", "egid", offsetof(struct iotrace_access_offsets, egid) },
	{ "cred", "sgid", offsetof(struct iotrace_access_offsets, sgid) },
	{ "cred", "cap_permitted", offsetof(struct iotrace_access_offsets, caps) },
};

/* Finds the offsets of all rows. Returns the first that the kernel lacks; NULL: it has all. */
static const struct wanted_offset *find(const struct vmlinux_btf *types,
					const struct wanted_offset *rows, size_t nr, void *offsets)
{
	for (size_t i = 0; i < nr; i++) {
		long offset = vmlinux_btf_offset(types, rows[i].type, rows[i].member);

		if (offset < 0)
			return &rows[i];
		*(uint32_t *)((char *)offsets + rows[i].at) = (uint32_t)offset;
	}
	return NULL;
}

int bpf_find_task_offsets(struct iotrace_task_offsets *at, char *why, size_t size)
{
	const struct vmlinux_btf *types = vmlinux_btf_read();
	const struct wanted_offset *missing;

	if (!types)
		return 0;
	at->task_type = vmlinux_btf_id(types, BTF_KIND_STRUCT, "task_struct");
	missing = find(types, task_offsets, ARRAY_SIZE(task_offsets), at);
	if (!missing)
		return 0;
	snprintf(why, size, "this kernel's BTF does not describe struct %s: use --backend=strace",
		 missing->type);
	return -EOPNOTSUPP;
}

/* An inode's list of dentries. d_u is a union whose members all begin where it does. */
static void find_aliases(struct iotrace_file_offsets *at, const struct vmlinux_btf *types)
{
	long aliases = vmlinux_btf_offset(types, "inode", "i_dentry");
	long alias = vmlinux_btf_offset(types, "dentry", "d_u");
	long hash = vmlinux_btf_offset(types, "dentry", "d_hash");
	long hashed = vmlinux_btf_offset(types, "hlist_bl_node", "pprev");

	if (alias < 0)
		alias = vmlinux_btf_offset(types, "dentry", "d_alias");
	if (aliases < 0 || alias < 0 || hash < 0 || hashed < 0)
		return;
	at->inode_aliases = (uint32_t)aliases;
	at->dentry_alias = (uint32_t)alias;
	at->dentry_hashed = (uint32_t)(hash + hashed);
}

int bpf_find_file_offsets(struct iotrace_file_offsets *at, char *why, size_t size)
{
	const struct vmlinux_btf *types = vmlinux_btf_read();
	const struct wanted_offset *missing =
		types ? find(types, file_offsets, ARRAY_SIZE(file_offsets), at) : &file_offsets[0];

	if (missing) {
		snprintf(
			why, size,
			"this kernel's BTF does not describe its files, which -y and -P need: it has no %s.%s",
			missing->type, missing->member);
		return -EOPNOTSUPP;
	}
	find_aliases(at, types);
	if (kernel_takes_weak_functions() &&
	    vmlinux_btf_id(types, BTF_KIND_FUNC, "bpf_rdonly_cast")) {
		at->kiocb_type = vmlinux_btf_id(types, BTF_KIND_STRUCT, "kiocb");
		at->file_type = vmlinux_btf_id(types, BTF_KIND_STRUCT, "file");
		at->inode_type = vmlinux_btf_id(types, BTF_KIND_STRUCT, "inode");
	}
	return 0;
}

bool bpf_find_tcp_offsets(struct iotrace_tcp_offsets *at)
{
	const struct vmlinux_btf *types = vmlinux_btf_read();

	if (!types || find(types, tcp_offsets, ARRAY_SIZE(tcp_offsets), at)) {
		memset(at, 0, sizeof(*at));
		return false;
	}
	return true;
}

static int find_dumpable(const struct vmlinux_btf *types, struct iotrace_access_offsets *at)
{
	/* Since Linux 7.2 (include/linux/sched/exec_state.h). */
	long state = vmlinux_btf_offset(types, "task_struct", "exec_state");
	long value = vmlinux_btf_offset(types, "task_exec_state", "dumpable");
	/* A word before 6.18; since then the first word of a bitmap. */
	long flags = vmlinux_btf_offset(types, "mm_struct", "flags");

	if (state > 0 && value > 0) {
		at->task_state = (uint32_t)state;
		at->state_value = (uint32_t)value;
		return 0;
	}
	if (state < 0 && value < 0 && flags > 0) {
		at->mm_flags = (uint32_t)flags;
		return 0;
	}
	return -EOPNOTSUPP;
}

/*
 * The probes do not use CO-RE for these: if the kernel lacks a struct, libbpf searches the modules
 * for it, which takes more than CAP_BPF.
 */
int bpf_find_access_offsets(struct iotrace_access_offsets *at)
{
	const struct vmlinux_btf *types = vmlinux_btf_read();

	if (!types || find(types, id_offsets, ARRAY_SIZE(id_offsets), at))
		return -EOPNOTSUPP;
	return find_dumpable(types, at);
}
