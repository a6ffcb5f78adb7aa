/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes that one program starts again and again, to execute the same file: a sed for each line,
 * a git for each tag. Plain data.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/busy.h"
#include "model/language.h"

struct profile;

/* Fewer processes are no habit. */
#define MIN_PROCESSES 50

struct process_group {
	char *exe;	 /* Path of their executable, untrusted bytes. */
	char parent[16]; /* Name of the program that starts them, untrusted. "": it is not known. */
	enum language language;
	uint64_t nr;	   /* Number of processes, MIN_PROCESSES and up. */
	uint64_t lives_ns; /* From start to end of each, added up. */
	uint64_t spans_ns; /* The time during which there was any of them. */
	uint64_t least_ns; /* The shortest life. */
	struct busy busy;  /* Busy time of them, and of the program that starts them. */
};

/*
 * Finds such processes among the programs of a profile, whose languages are known. Returns 0 or
 * -ENOMEM.
 */
int profile_group_processes(struct profile *p);
void process_groups_free(struct profile *p);
