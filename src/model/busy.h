/* SPDX-License-Identifier: GPL-2.0 */
/* How busy the programs of a run were: what a fix gains is judged against that. Plain data. */
#ifndef IOTRACE_BUSY_H
#define IOTRACE_BUSY_H

#include <stdbool.h>
#include <sys/types.h>

#include "bpf/iotrace.h"

struct profile;
struct file_stats;

/* A process, as long as it has one name. */
struct program_stats {
	pid_t pid;
	char comm[16]; /* NUL-terminated, untrusted bytes */
	struct iotrace_busy busy;
};

/* Adds what a program was busy. 0 or -ENOMEM. Call profile_sort_programs() after the last one. */
int profile_add_program(struct profile *p, pid_t pid, const char comm[16],
			const struct iotrace_busy *busy);
void profile_sort_programs(struct profile *p);

void busy_add(struct iotrace_busy *sum, const struct iotrace_busy *busy);
/* Of the users of a file; all zeroes: not known. */
struct iotrace_busy profile_busy_of_users(const struct profile *p, const struct file_stats *f);
bool busy_known(const struct iotrace_busy *busy);
#endif
