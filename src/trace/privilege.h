/* SPDX-License-Identifier: GPL-2.0 */
/* What iotrace itself may do, and giving it up. */
#ifndef IOTRACE_PRIVILEGE_H
#define IOTRACE_PRIVILEGE_H

#include <stdbool.h>
#include <stdint.h>

/* A program that runs with another's rights would open files and signal processes with them: is this one? */
bool privilege_is_setuid(void);

/* May the caller trace every process, whoever owns it (CAP_SYS_PTRACE)? */
bool privilege_may_trace_all(void);

/* The capabilities that the caller has, a bit each. */
uint64_t privilege_permitted(void);

/*
 * Gives up every capability but what is needed to the end: signalling a command of another user and writing where root
 * writes; and those for BPF if works(arg) says with an error that the figures cannot be read without (kernels before
 * 5.19 want CAP_BPF for every use of a map). 0 or -errno.
 */
int privilege_drop(int (*works)(void *arg), void *arg);

#endif
