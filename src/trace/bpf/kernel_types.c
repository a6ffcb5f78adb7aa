// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/kernel_types.h"

#include <bpf/btf.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Since Linux 6.16 the file can be mapped. A read brings 4 KiB of its 5 MiB. */
static struct btf *load_mapped(void)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	struct btf *btf = NULL;
	struct stat st;
	void *data;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && st.st_size > 0) {
		data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (data != MAP_FAILED) {
			btf = btf__new(data, st.st_size);
			munmap(data, st.st_size);
		}
	}
	close(fd);
	return btf;
}

static struct btf *kept;

void kernel_types_keep(struct btf *btf)
{
	btf__free(kept);
	kept = btf;
}

/* libbpf's own function, which knows other places, too. */
static struct btf *load_by_libbpf(void)
{
	struct btf *(*load)(void);

	*(void **)&load = dlsym(RTLD_NEXT, "btf__load_vmlinux_btf");
	if (load)
		return load();
	errno = ENOSYS;
	return NULL;
}

struct btf *kernel_types_load(void)
{
	struct btf *btf = kept;

	kept = NULL;
	if (!btf)
		btf = load_mapped();
	return btf ? btf : load_by_libbpf();
}

/*
 * A public function of libbpf's, which it calls by this name when it loads an object, and frees
 * what it gets. The dynamic linker finds this one first (ld.so(8)), so that BTF is read once. A
 * libbpf that is linked with -Bsymbolic takes its own, and reads BTF again.
 */
struct btf *btf__load_vmlinux_btf(void)
{
	return kernel_types_load();
}

long kernel_types_member(const struct btf *btf, const struct btf_type *type, const char *name)
{
	const struct btf_member *members = btf_members(type);

	for (uint16_t i = 0; i < btf_vlen(type); i++) {
		const char *member = btf__name_by_offset(btf, members[i].name_off);
		const struct btf_type *inner;
		long offset = btf_member_bit_offset(type, i) / 8, in;

		if (!strcmp(member, name))
			return offset;
		if (*member)
			continue;
		inner = btf__type_by_id(btf, members[i].type);
		if (!btf_is_composite(inner))
			continue;
		in = kernel_types_member(btf, inner, name);
		if (in >= 0)
			return offset + in;
	}
	return -1;
}

long kernel_types_offset(const struct btf *btf, const char *type, const char *name)
{
	int id = btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT);

	return id < 0 ? -1 : kernel_types_member(btf, btf__type_by_id(btf, id), name);
}
