/* SPDX-License-Identifier: GPL-2.0 */
/* Offsets of members of the kernel's structs, from its BTF. */
#pragma once

struct btf;
struct btf_type;

/* The kernel's BTF, to be freed by btf__free(); NULL with errno. */
struct btf *kernel_types_load(void);

/*
 * The byte offset of a member, also in an unnamed struct or union; -1 if there is no such member.
 */
long kernel_types_member(const struct btf *btf, const struct btf_type *type, const char *name);

/* Finds the struct by its name first; -1 also if there is no such struct. */
long kernel_types_offset(const struct btf *btf, const char *type, const char *name);
