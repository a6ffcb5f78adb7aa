// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/task_offsets.h"

#include <errno.h>
#include <stdio.h>

#include "trace/bpf/vmlinux_btf.h"

static const struct {
	const char *type, *member;
	size_t place; /* in struct iotrace_task_offsets */
} wanted[] = {
#define WANTED_OFFSET(type, member, name) \
	{ type, member, offsetof(struct iotrace_task_offsets, name) },
	TASK_OFFSETS(WANTED_OFFSET)
#undef WANTED_OFFSET
};

int bpf_find_task_offsets(struct iotrace_task_offsets *at, char *why, size_t size)
{
	const struct vmlinux_btf *types = vmlinux_btf_read();
	int err = 0;

	if (!types)
		return 0; /* libbpf will say so */
	at->task_type = vmlinux_btf_id(types, BTF_KIND_STRUCT, "task_struct");
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted) && !err; i++) {
		long offset = vmlinux_btf_offset(types, wanted[i].type, wanted[i].member);

		*(uint32_t *)((char *)at + wanted[i].place) = (uint32_t)offset;
		if (offset < 0)
			err = -EOPNOTSUPP;
		if (err)
			snprintf(why, size,
				 "this kernel's BTF does not describe struct %s: use "
				 "--backend=strace",
				 wanted[i].type);
	}
	return err;
}
