/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs of a run. The gain of a fix is judged against their busy time, and their language
 * decides the advice. Plain data.
 */
#pragma once

#include <sys/types.h>

#include "model/busy.h"
#include "model/language.h"

struct profile;
struct file_stats;

/* A process, as long as it has one name. */
struct program_stats {
	pid_t pid;
	char comm[16]; /* NUL-terminated, untrusted bytes. */
	struct busy busy;
	char *exe; /* Path of its executable, untrusted bytes. NULL: not known. */
	enum language language;
};

/*
 * Adds a program; exe may be NULL. Returns 0 or -ENOMEM. Call profile_sort_programs() after the
 * last one.
 */
int profile_add_program(struct profile *p, pid_t pid, const char comm[16], const struct busy *busy,
			const char *exe);
void programs_free(struct profile *p);
void profile_sort_programs(struct profile *p);

/* Returns the busy time of the users of a file. All zeroes: it is not known. */
struct busy profile_busy_of_users(const struct profile *p, const struct file_stats *f);
/*
 * Returns the language of the user that made most calls, who comes first. Where its program is not
 * known, it is that of an interpreter of its name.
 */
enum language profile_language_of_users(const struct profile *p, const struct file_stats *f);
