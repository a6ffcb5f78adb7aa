// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/file_offsets.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>

#include "trace/bpf/vmlinux_btf.h"
#include "trace/kernel.h"

/* A member to look for in the kernel's BTF, and the place for its offset. */
struct wanted_offset {
	const char *type, *member;
	size_t place; /* in struct iotrace_file_offsets */
};

static const struct wanted_offset wanted_offsets[] = {
#define WANTED_OFFSET(type, member, name) \
	{ type, member, offsetof(struct iotrace_file_offsets, name) },
	FILE_OFFSETS(WANTED_OFFSET)
#undef WANTED_OFFSET
};

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

	for (size_t i = 0; i < sizeof(wanted_offsets) / sizeof(*wanted_offsets); i++) {
		const struct wanted_offset *wanted = &wanted_offsets[i];
		long offset = types ? vmlinux_btf_offset(types, wanted->type, wanted->member) : -1;

		if (offset < 0) {
			snprintf(why, size,
				 "this kernel's BTF does not describe its files, which -y and -P "
				 "need: it has no %s.%s",
				 wanted->type, wanted->member);
			return -EOPNOTSUPP;
		}
		*(uint32_t *)((char *)at + wanted->place) = (uint32_t)offset;
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
