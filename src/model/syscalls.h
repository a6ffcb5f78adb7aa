/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names, numbers, classes and traits of syscalls, and the sets of them that -e selects. Names and
 * numbers come from libseccomp; classes and traits are rows of a table in syscall_table.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/iotrace.h"

/* The actions of syscalls that iotrace depends on. */
enum syscall_action {
	ACTION_OTHER,
	ACTION_READS,  /* It reads from the file of its descriptor, or receives. */
	ACTION_WRITES, /* It writes to the file of its descriptor, or sends. */
	ACTION_OPENS,  /* It opens a path, and its result is the descriptor. */
	ACTION_CLOSES,
	/* It looks at what a path leads to: whether it exists, its attributes, its target. */
	ACTION_LOOKS,
	ACTION_SYNCS,	   /* It has the file's data written to the device. */
	ACTION_SEEKS,	   /* It sets the position in the file. */
	ACTION_COPIES,	   /* It copies from one descriptor to another, within the kernel. */
	ACTION_FORKS,	   /* It returns a second time, in a new task. */
	ACTION_EXECS,	   /* It may return under another ABI. */
	ACTION_FILTERS,	   /* It may put a seccomp filter on the task. */
	ACTION_SIGRETURNS, /* It restores the registers that a signal has found. */
	NR_SYSCALL_ACTIONS,
};

/* The properties of a syscall that its figures depend on. */
struct syscall_traits {
	bool transfers;	    /* A successful result is the number of bytes transferred. */
	bool never_returns; /* It is entered, but no result is ever seen: exit, exit_group. */
	bool on_fd;	    /* It works on a descriptor, argument 0. */
	/* The argument that is the path it opens, looks at or executes. -1: none. */
	int8_t path_arg;
	enum syscall_action action;
	bool buffer;	 /* Argument 1 is the data, argument 2 its length. */
	bool vector;	 /* Argument 1 is an iovec, argument 2 the number of its elements. */
	bool positioned; /* Argument 3 is the position in the file. */
	bool makes;	 /* It makes what it does not find. */
	/*
	 * It sleeps until another program, another machine or a timer has something for it, never
	 * for a disk. A read() does, too, on a pipe, a socket or a terminal.
	 */
	bool idles;
};

/* The wanted syscalls of each ABI. */
struct syscall_set {
	bool wanted[NR_ABIS][MAX_SYSCALL_NR];
};

/*
 * The name of a number, as strace prints it: "pread64", the ABI's own "_llseek" and
 * "clock_gettime64", "writev#64" for the number of a 64-bit call that x32 has elsewhere;
 * "syscall_0x%x" where there is none, with bit 30 set for x32 (everywhere else, its numbers are
 * without that bit). Returns buf. A buf of 40 bytes holds every name.
 */
const char *syscall_name(enum iotrace_abi abi, int nr, char *buf, size_t size);

/* Returns the number of a name in an ABI (x32's own may lie beyond MAX_SYSCALL_NR), or -1. */
int syscall_number(enum iotrace_abi abi, const char *name);

/* Returns the traits of a call. An unknown number has no special traits. */
struct syscall_traits syscall_traits(enum iotrace_abi abi, int nr);
/* Finds the traits of a syscall by its name, as syscall_name() has it. */
struct syscall_traits syscall_traits_by_name(const char *name);

/* Is the call about a file: on a descriptor, or an opening? */
bool syscall_uses_file(const struct syscall_traits *traits);
/*
 * Does the call search for a path, other than to open it? It is about no file, but about a path
 * that is missing.
 */
bool syscall_searches(const struct syscall_traits *traits);

/*
 * Iterates over the syscalls that have traits: returns the i-th name, or NULL after the last. Not
 * every ABI has a call of that name.
 */
const char *syscall_known(size_t i, struct syscall_traits *traits);

/*
 * Parses the argument of -e, strace's grammar: [trace=|t=][!]ITEM[,ITEM...]. An item is a name, a
 * number, a class ("%file", "file"; iotrace's own "%io", "%output", "%findings"), "/" and an
 * extended regular expression, "all" or "none". "@64", "@32" or "@x32" after it means that ABI
 * only, otherwise it is all of them; "?" before it, that there may be no such call. "all" and
 * negations hold numbers without a name, too. The parts of 32-bit socketcall and ipc are not
 * selected by their names, since nothing tells them apart.
 *
 * Returns 0, *set replaced; or -EINVAL, *set untouched, and a one-line reason with the offending
 * word, as it was written, in err (never more than err_size bytes, NUL-terminated).
 */
int syscall_set_parse(struct syscall_set *set, const char *expr, char *err, size_t err_size);

/* Is this the name of a syscall, "write", of any ABI, or of the one after an "@"? */
bool syscall_is_known(const char *word);
/* Does the set hold such a syscall? */
bool syscall_set_has(const struct syscall_set *set, const char *word);

/* Is one of the set's calls about a file or a path? */
bool syscall_set_uses_files(const struct syscall_set *set);

/* The set without -e. */
#define SYSCALL_SET_DEFAULT "%findings"
