/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Describes to libbpf no more of the kernel than the probes refer to: the members that CO-RE
 * relocates, the tracepoints and iterators to attach to, the kernel's functions that they call.
 * libbpf takes this excerpt for the kernel's BTF. In it, types have other ids than the kernel's;
 * they are translated when a program is loaded.
 */
#pragma once

#include <stddef.h>

struct bpf_insn;
struct bpf_object;
struct bpf_prog_load_opts;

/*
 * Call it between opening and loading an object, before anything is set that libbpf looks up. It
 * holds for one load. If there can be no excerpt, libbpf reads all of the kernel's BTF, and says
 * what is wrong with it.
 */
void btf_subset_begin(const struct bpf_object *object);
void btf_subset_end(void);

/* Puts the kernel's ids into what libbpf loads: into the program's target, and into its calls. */
void btf_subset_translate(struct bpf_insn *insns, size_t nr, struct bpf_prog_load_opts *opts);
