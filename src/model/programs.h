/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs of a run. The gain of a fix is judged against their busy time, and their language
 * decides the advice. Plain data.
 */
#pragma once

#include <sys/types.h>

#include "model/busy.h"
#include "model/language.h"
#include "model/logger.h"

struct profile;
struct file_stats;
struct file_user;

/* A process, as long as it has one name. */
struct program_stats {
	pid_t pid, parent; /* The process, and the one that made it. 0: it is not known. */
	char comm[16];	   /* NUL-terminated, untrusted bytes. */
	struct busy busy;
	/* When it began and ended, within the run, CLOCK_MONOTONIC. 0: it is not known. */
	uint64_t first_ns, last_ns;
	uint64_t delayed_ns;	   /* Time that its threads were ready to run, added up. */
	uint64_t slept_ns, sleeps; /* Time that its thread with most calls slept, and how often. */
	char *exe;		   /* Path of its executable, untrusted bytes. NULL: not known. */
	uint64_t most_calls;	   /* The calls of that thread that did not sleep. 0: not known. */
	enum language language;
	enum logger logger;
};

/*
 * Adds a copy of a program; its exe may be NULL. Returns 0 or -ENOMEM. Call profile_sort_programs()
 * after the last one.
 */
int profile_add_program(struct profile *p, const struct program_stats *program);
void programs_free(struct profile *p);
void profile_sort_programs(struct profile *p);

/* Returns the program of a user of a file. NULL: it is not known. */
/* Returns the only program of a process. NULL: it has executed none that is known, or several. */
const struct program_stats *profile_only_program(const struct profile *p, pid_t pid);
struct program_stats *profile_program_of_user(const struct profile *p, const struct file_user *u);
/* Returns the busy time of the users of a file. All zeroes: it is not known. */
struct busy profile_busy_of_users(const struct profile *p, const struct file_stats *f);
/*
 * Returns the language of the user that made most calls, who comes first. Where its program is not
 * known, it is that of an interpreter of its name.
 */
enum language profile_language_of_users(const struct profile *p, const struct file_stats *f);
/* Returns the logger of that user. */
enum logger profile_logger_of_users(const struct profile *p, const struct file_stats *f);
/*
 * Have several threads of that user made the file's calls? False: that is not known. They have if
 * no thread made as many calls in the whole run.
 */
bool profile_has_threads_on(const struct profile *p, const struct file_stats *f);
