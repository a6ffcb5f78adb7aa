/* SPDX-License-Identifier: GPL-2.0 */
/* Counts which programs used the files that strace's log names. For parse.c alone. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/profile.h"

/* A program: a process until it executes another one. */
struct strace_who {
	pid_t pid;     /* of the process; 0: not known */
	char comm[16]; /* NUL-terminated, untrusted bytes */
	char *exe;     /* path of its executable, allocated; NULL: not known */
	unsigned nr;   /* among the users of files; 0: it is not looked up yet, or not known */
};

/* The executable is copied; NULL without memory. */
void strace_who_copy(struct strace_who *to, const struct strace_who *from);
/* It is not known any more. */
void strace_who_forget(struct strace_who *w);

struct strace_users;

/* At most so many programs, and twice as many pairs of a program and a file. NULL: no memory. */
struct strace_users *strace_users__new(size_t max);
void strace_users__free(struct strace_users *u);

/*
 * Counts a call of a program on a row. Where there is no room, and for a program that is not known,
 * once for each such *who, the row lacks a user. 0 or -ENOMEM.
 */
int strace_users__add(struct strace_users *u, struct strace_who *who, uint32_t row);

/* Adds the programs and the users of the files to a profile that has the rows. 0 or -ENOMEM. */
int strace_users__put(const struct strace_users *u, struct profile *p);
