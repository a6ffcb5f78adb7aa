/* SPDX-License-Identifier: GPL-2.0 */
/* Counts which programs used the files that strace's log names. For parse.c alone. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/profile.h"

/* A program is a process until it executes another one. */
struct strace_who {
	pid_t pid;     /* Pid of the process. 0: it is not known. */
	char comm[16]; /* Its name, ended by a NUL. Untrusted bytes. */
	char *exe;     /* Path of its executable, allocated. NULL: it is not known. */
	/* Its number among the users of files. 0: it has not been looked up, or is not known. */
	unsigned nr;
};

/* Makes the program unknown. */
void strace_who_forget(struct strace_who *w);

struct strace_users;

/*
 * There are at most max programs, and twice as many pairs of a program and a file. NULL: no memory.
 */
struct strace_users *strace_users__new(size_t max);
void strace_users__free(struct strace_users *u);

/*
 * Counts a call of a program on a row. If there is no room, the row lacks a user; so it does once
 * for each *who that is not known. Returns 0 or -ENOMEM.
 */
int strace_users__add(struct strace_users *u, struct strace_who *who, uint32_t row);

/*
 * Finds or makes the number of a program, which is 0 if it is not known or has no room. Returns 0
 * or -ENOMEM.
 */
int strace_users__number(struct strace_users *u, struct strace_who *who, unsigned *nr);
/* Counts a call of the program of a number. */
void strace_users__count(struct strace_users *u, unsigned nr, uint64_t ns);

/* Adds programs, their calls, and the files' users to a profile that has the rows. 0 or -ENOMEM. */
int strace_users__put(const struct strace_users *u, struct profile *p);
