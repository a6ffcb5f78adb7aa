/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names, numbers, classes and traits of syscalls, and the sets of them that -e selects. Names and numbers
 * come from libseccomp; classes and traits are rows of a table in syscalls.c.
 */
#ifndef IOTRACE_SYSCALLS_H
#define IOTRACE_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../bpf/iotrace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the figures of a syscall depend on. */
struct syscall_traits {
	bool transfers;	  /* a successful result is the number of bytes transferred */
	bool never_returns; /* exit, exit_group: entered, but no result is ever seen */
	int8_t fd_arg;	  /* which argument (0..5) is the descriptor it works on; -1: none */
};

/* Which syscalls of which ABI are wanted. */
struct syscall_set {
	bool wanted[NR_ABIS][MAX_SYSCALL_NR];
};

/*
 * The name of a number, as strace prints it (so "pread64", and the ABI's own "_llseek", "clock_gettime64");
 * "syscall_0x%x" where there is none. Returns buf. A buf of 40 bytes holds every name.
 */
const char *syscall_name(enum iotrace_abi abi, int nr, char *buf, size_t size);

/* The number of a name in an ABI, or -1. */
int syscall_number(enum iotrace_abi abi, const char *name);

/* The traits of a number; of an unknown one, those of a call with nothing special. */
struct syscall_traits syscall_traits(enum iotrace_abi abi, int nr);

/* How many calls of an ABI the set holds. */
size_t syscall_set_count(const struct syscall_set *set, enum iotrace_abi abi);

/*
 * Parses the argument of -e, strace's grammar ("trace=write,openat", "write", "trace=!%file", "t=/^pread",
 * "?newcall", "write@64", numbers), into *set, which it replaces. Returns 0, or -EINVAL with a
 * one-line reason naming the offending word in err (never more than err_size bytes, NUL-terminated). Matches names
 * in all ABIs.
 */
int syscall_set_parse(struct syscall_set *set, const char *expr, char *err, size_t err_size);

/* What is traced without -e. */
#define SYSCALL_SET_DEFAULT "write,writev,openat,close"

#ifdef __cplusplus
}
#endif
#endif
