// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/file_offsets.h"

#include <bpf/btf.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

#define NR_OFFSETS (sizeof(wanted_offsets) / sizeof(*wanted_offsets))

/* Stores the wanted offsets of a struct or function of the kernel. Returns how many it stored. */
static size_t take_type(struct iotrace_file_offsets *at, const struct btf *btf, uint32_t id,
			const struct btf_type *type, const char *name, bool *casts)
{
	size_t nr = 0;

	if (btf_is_func(type)) {
		*casts |= !strcmp(name, "bpf_rdonly_cast");
		return 0;
	}
	for (size_t i = 0; i < NR_OFFSETS; i++) {
		uint32_t *place = (uint32_t *)((char *)at + wanted_offsets[i].place);
		long offset = strcmp(wanted_offsets[i].type, name)
				      ? -1
				      : kernel_types_member(btf, type, wanted_offsets[i].member);

		if (offset < 0)
			continue;
		*place = (uint32_t)offset;
		nr++;
	}
	if (!strcmp(name, "task_struct"))
		at->task_type = id;
	else if (!strcmp(name, "kiocb"))
		at->kiocb_type = id;
	else if (!strcmp(name, "file"))
		at->file_type = id;
	return nr;
}

/* Marks the letters that wanted structs begin with: most other names fail this test. */
static void find_initials(bool *initials)
{
	for (size_t i = 0; i < NR_OFFSETS; i++)
		initials[(unsigned char)wanted_offsets[i].type[0]] = true;
}

int bpf_find_file_offsets(struct iotrace_file_offsets *at, char *why, size_t size)
{
	struct btf *btf = kernel_types_load();
	uint32_t nr_types = btf ? btf__type_cnt(btf) : 0;
	bool initials[UCHAR_MAX + 1] = { false }, casts = false;
	size_t nr = 0;

	find_initials(initials);
	for (uint32_t id = 1; id < nr_types; id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const char *name;

		if (!btf_is_struct(type) && !btf_is_func(type))
			continue;
		name = btf__name_by_offset(btf, type->name_off);
		if (btf_is_func(type) || initials[(unsigned char)name[0]])
			nr += take_type(at, btf, id, type, name, &casts);
	}
	kernel_types_keep(btf);
	if (!casts || !kernel_takes_weak_functions())
		at->task_type = at->kiocb_type = at->file_type = 0;
	if (nr >= NR_OFFSETS)
		return 0;
	snprintf(why, size, "this kernel's BTF does not describe its files, which -y and -P need");
	return -EOPNOTSUPP;
}
