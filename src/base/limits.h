/* SPDX-License-Identifier: GPL-2.0 */
/* Errors that a limit of getrlimit(2) may have caused, and how to raise it. */
#pragma once

#include <stddef.h>

/* Soft limits. RLIM_INFINITY: there is no limit. */
struct limits {
	unsigned long files;	 /* Number of open files: 'ulimit -n'. */
	unsigned long data;	 /* Bytes of memory: 'ulimit -d'. */
	unsigned long space;	 /* Bytes of address space: 'ulimit -v'. */
	unsigned long file_size; /* Bytes in a file: 'ulimit -f'. */
};

void limits_look(struct limits *l);

/*
 * Writes "12 are allowed; raise it with 'ulimit -n 1024'" for a positive errno. Returns buf; NULL:
 * no limit can be the cause.
 */
const char *limits_explain(char *buf, size_t size, const struct limits *l, int err);

/*
 * Returns strerror(3), and what the limits of now have to do with it: "Too many open files; 12 are
 * allowed; raise it with 'ulimit -n 1024'". It is valid until the thread's next call.
 */
const char *explain_errno(int err);
