/* SPDX-License-Identifier: GPL-2.0 */
/* Offsets of members of the kernel's structs, from its BTF. */
#pragma once

struct btf;
struct btf_type;

/* The kernel's BTF, which was kept or is read now; NULL with errno. Keep it, or btf__free() it. */
struct btf *kernel_types_load(void);

/* Keeps it for whoever needs it next: reading it takes 10 ms, and libbpf needs it for each load. */
void kernel_types_keep(struct btf *btf);

/*
 * The byte offset of a member, also in an unnamed struct or union; -1 if there is no such member.
 */
long kernel_types_member(const struct btf *btf, const struct btf_type *type, const char *name);

/* Finds the struct by its name first; -1 also if there is no such struct. */
long kernel_types_offset(const struct btf *btf, const char *type, const char *name);
