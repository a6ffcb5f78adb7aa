/* SPDX-License-Identifier: GPL-2.0 */
/* The calls of each program of a run, by its name. Plain data. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct profile;

struct program_calls {
	char comm[16];	    /* NUL-terminated, untrusted bytes. */
	uint64_t processes; /* Number of processes that executed it. */
	uint64_t calls, total_ns;
};

/*
 * Adds calls of a program. Returns 0 or -ENOMEM. Call profile_sort_program_calls() after the last
 * one, which makes them a row for each name, that with most calls first.
 */
int profile_add_program_calls(struct profile *p, const struct program_calls *calls);
void profile_sort_program_calls(struct profile *p);

/* Returns the calls of the profile that are of no program here, such as those begun before it. */
struct program_calls profile_other_program_calls(const struct profile *p);
