/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the large maps on another CPU while this one reads the kernel's types: both take some 10
 * ms, since the kernel fills all of a map with zeroes.
 */
#pragma once

struct bpf_object;

/* Begins. The sizes of the object's maps must be final, and it must not be loaded yet. */
void map_prefetch_begin(const struct bpf_object *object);

/*
 * Helps to make them, and gives them to the object. What could not be made is left to
 * libbpf, which says why. Call it before the object is loaded or destroyed.
 */
void map_prefetch_end(void);
