// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/file_offsets.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>

#include "trace/bpf/kernel_types.h"
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

int bpf_find_file_offsets(struct iotrace_file_offsets *at, char *why, size_t size)
{
	const struct kernel_types *types = kernel_types_read();

	for (size_t i = 0; i < sizeof(wanted_offsets) / sizeof(*wanted_offsets); i++) {
		const struct wanted_offset *wanted = &wanted_offsets[i];
		long offset = types ? kernel_types_offset(types, wanted->type, wanted->member) : -1;

		if (offset < 0) {
			snprintf(why, size,
				 "this kernel's BTF does not describe its files, which -y and -P "
				 "need: it has no %s.%s",
				 wanted->type, wanted->member);
			return -EOPNOTSUPP;
		}
		*(uint32_t *)((char *)at + wanted->place) = (uint32_t)offset;
	}
	if (kernel_takes_weak_functions() &&
	    kernel_types_id(types, BTF_KIND_FUNC, "bpf_rdonly_cast")) {
		at->kiocb_type = kernel_types_id(types, BTF_KIND_STRUCT, "kiocb");
		at->file_type = kernel_types_id(types, BTF_KIND_STRUCT, "file");
		at->inode_type = kernel_types_id(types, BTF_KIND_STRUCT, "inode");
	}
	return 0;
}
