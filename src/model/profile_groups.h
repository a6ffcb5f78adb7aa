/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of a profile's groups. */
#pragma once

#include "model/groups.h"
#include "model/profile.h"

/*
 * Returns the row of an id, made if it is not there yet. NULL: no memory. The pointer is good until
 * the next call.
 */
struct group_stats *profile_group(struct profile *p, uint32_t id);
/* Returns the row of an id. NULL: it is not there. */
struct group_stats *profile_find_group(const struct profile *p, uint32_t id);

/*
 * s has the figures of the calls of a syscall that no group has, but the latencies of all its
 * calls; groups, the sum of those that groups have. Makes s those of all calls, and adds what no
 * group has to (other). Returns 0 or -ENOMEM.
 */
int profile_complete_syscall(struct profile *p, struct syscall_stats *s,
			     const struct group_call *groups);

/* Returns 0 if the groups' counters add up to the summary's; otherwise -EINVAL or -ENOMEM. */
int profile_check_groups(const struct profile *p);

/* Gives groups of one process the executable of its program. Returns 0 or -ENOMEM. */
int profile_name_executables(struct profile *p);
