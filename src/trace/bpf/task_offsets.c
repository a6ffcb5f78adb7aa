// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/task_offsets.h"

#include <errno.h>
#include <stdio.h>

#include "trace/bpf/kernel_types.h"

static const struct {
	const char *type, *member;
	size_t place; /* in struct iotrace_task_offsets */
} wanted[] = {
#define WANTED_OFFSET(type, member, name) \
	{ type, member, offsetof(struct iotrace_task_offsets, name) },
	TASK_OFFSETS(WANTED_OFFSET)
#undef WANTED_OFFSET
};

/* These structs are among the first thousand of 120,000 types: to find one takes no time. */
int bpf_find_task_offsets(struct iotrace_task_offsets *at, char *why, size_t size)
{
	struct btf *btf = kernel_types_load();
	int err = 0;

	if (!btf)
		return 0;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted) && !err; i++) {
		long offset = kernel_types_offset(btf, wanted[i].type, wanted[i].member);

		*(uint32_t *)((char *)at + wanted[i].place) = (uint32_t)offset;
		if (offset < 0)
			err = -EOPNOTSUPP;
		if (err)
			snprintf(why, size,
				 "this kernel's BTF does not describe struct %s: use "
				 "--backend=strace",
				 wanted[i].type);
	}
	kernel_types_keep(btf);
	return err;
}
