/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's BTF (Documentation/bpf/btf.rst), as far as a start needs it: types by name, members
 * by name. libbpf's struct btf copies all of it, and goes through its 120,000 types once for each
 * name: that was a third of a start.
 */
#pragma once

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vmlinux_btf;

/* Lets another thread read the running kernel's types meanwhile: it takes 2 ms. */
void vmlinux_btf_read_ahead(void);

/*
 * The running kernel's types, read now if they are not yet; NULL with errno. They stay valid until
 * vmlinux_btf_forget().
 */
const struct vmlinux_btf *vmlinux_btf_read(void);
void vmlinux_btf_forget(void);

/* Those in BTF data, which must stay where it is. NULL with errno: EINVAL for what is no BTF. */
struct vmlinux_btf *vmlinux_btf__new(const void *data, size_t size);
void vmlinux_btf__free(struct vmlinux_btf *types);

/*
 * The id of the first type with this name: a struct, a tracepoint's typedef (btf_trace_...) or a
 * function of BPF's (bpf_...), which are all that can be found by name. 0: there is none.
 */
uint32_t vmlinux_btf_id(const struct vmlinux_btf *types, uint32_t kind, const char *name);

/* The type with this id, without modifiers and typedefs; NULL: void, or there is no such type. */
const struct btf_type *vmlinux_btf_resolve(const struct vmlinux_btf *types, uint32_t id);

/* The type's name, or a member's. */
const char *vmlinux_btf_name(const struct vmlinux_btf *types, uint32_t name_off);

struct kernel_member {
	uint32_t type;		   /* Id of its type. */
	uint32_t offset, bit_size; /* Offset in bits. bit_size 0: it is no bit field. */
};

/* Finds a member of a struct or union, also within an unnamed one. */
bool vmlinux_btf_member(const struct vmlinux_btf *types, const struct btf_type *type,
			const char *name, struct kernel_member *member);

/*
 * A member's offset in bytes; -1 if there is no such struct, or no such member that begins at a
 * byte.
 */
long vmlinux_btf_offset(const struct vmlinux_btf *types, const char *type, const char *member);
