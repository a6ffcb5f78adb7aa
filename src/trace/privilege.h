/* SPDX-License-Identifier: GPL-2.0 */
/* The rights of iotrace itself, and how to drop them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Does the program run with the rights of another user? It would open files and signal processes
 * with them.
 */
bool privilege_is_setuid(void);

/* May the caller trace every process, whoever owns it (CAP_SYS_PTRACE)? */
bool privilege_may_trace_all(void);

/* The permitted capabilities of the caller, one bit each. */
uint64_t privilege_permitted(void);

/* Is this capability effective? */
bool privilege_has_effective(int cap);

/*
 * Drops all capabilities except those that are needed to the end: to signal a command of another
 * user, and to write where root writes. Keeps those for BPF if works(arg) fails without them
 * (kernels before 5.19 want CAP_BPF for every use of a map). Returns 0 or -errno.
 */
int privilege_drop(int (*works)(void *arg), void *arg);

/*
 * Leaves the calling thread only the capabilities that it takes to read which files a process has
 * mapped, and these files. Returns 0 or -errno.
 */
int privilege_drop_all_but_reading(void);

/* Leaves the calling thread only the capability to make maps. Returns 0 or -errno. */
int privilege_drop_all_but_bpf(void);

/*
 * Leaves the caller the capabilities that it would have after the execve(2) of an ordinary program:
 * those of root, or ambient ones. Those who may trace such a program may then trace the caller, who
 * is not dumpable if a file's capabilities are its own. Returns 0 or -errno.
 */
int privilege_become_ordinary(void);
