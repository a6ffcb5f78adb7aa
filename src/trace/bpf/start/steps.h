/* SPDX-License-Identifier: GPL-2.0 */
/* The steps of start.c, each in a file of its own. */
#pragma once

#include <stddef.h>

struct bpf_insn;
struct bpf_object;
struct bpf_prog_load_opts;

/* ---- map_prefetch.c ---- */

/*
 * Makes the large maps on another CPU while this one reads the kernel's types: both take some 10
 * ms, since the kernel fills all of a map with zeroes.
 */

/* Begins. The sizes of the object's maps must be final, and it must not be loaded yet. */
void map_prefetch_begin(const struct bpf_object *object);

/*
 * Helps to make them, and gives them to the object. What could not be made is left to
 * libbpf, which says why. Call it before the object is loaded or destroyed.
 */
void map_prefetch_end(void);

/* ---- btf_subset.c ---- */

/*
 * Describes to libbpf no more of the kernel than the probes refer to: the members that CO-RE
 * relocates, the tracepoints and iterators to attach to, the kernel's functions that they call.
 * libbpf takes this excerpt for the kernel's BTF. In it, types have other ids than the kernel's;
 * they are translated when a program is loaded.
 */

/*
 * Call it between opening and loading an object, before anything is set that libbpf looks up. It
 * holds for one load. If there can be no excerpt, libbpf reads all of the kernel's BTF, and says
 * what is wrong with it.
 */
void btf_subset_begin(const struct bpf_object *object);
void btf_subset_end(void);

/* Puts the kernel's ids into what libbpf loads: into the program's target, and into its calls. */
void btf_subset_translate(struct bpf_insn *insns, size_t nr, struct bpf_prog_load_opts *opts);

/* ---- parallel_load.c ---- */

/*
 * Large programs are loaded on other CPUs while libbpf goes on with the next ones: the kernel takes
 * some 2 us for each step of proving a program safe, and so half of a start.
 */

/* What libbpf loads from here on may be loaded beside it. */
void parallel_load_begin(void);

/*
 * Waits until all of it is loaded. 0, or -errno if that failed: libbpf takes them for loaded all
 * the same. Without parallel_load_begin() before, it loads them itself, and says why that fails.
 */
int parallel_load_end(void);
