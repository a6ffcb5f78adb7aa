/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Large programs are loaded on other CPUs while libbpf goes on with the next ones: the kernel takes
 * some 2 us for each step of proving a program safe, and so half of a start.
 */
#pragma once

/* What libbpf loads from here on may be loaded beside it. */
void parallel_load_begin(void);

/*
 * Waits until all of it is loaded. 0, or -errno if that failed: libbpf takes them for loaded all
 * the same. Without parallel_load_begin() before, it loads them itself, and says why that fails.
 */
int parallel_load_end(void);
