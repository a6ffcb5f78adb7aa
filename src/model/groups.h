/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who makes the calls (--by): groups of tasks that have something in common, and the figures of
 * each syscall of theirs. Their sums are the summary, for all counters. Plain data, as in
 * profile.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/iotrace.h"
#include "model/syscall_stats.h"

/* One syscall of one ABI of one group. */
struct group_call {
	enum iotrace_abi abi;
	int nr;
	char name[40]; /* The name as strace prints it. */
	bool transfers;
	GROUP_FIGURES
	struct errno_count *errnos; /* As those of a syscall. */
	size_t nr_errnos;
};

struct group_stats {
	uint32_t id; /* Tells groups apart that have the same names. GROUP_OTHER and up. */
	/*
	 * With two keys, the lowest id of the groups that have the first key in common, which are
	 * one group of it. With one key, 0.
	 */
	uint32_t parent;
	/*
	 * What its tasks have in common; what they need not have is empty, 0 or -1. Ids of tasks
	 * are those in iotrace's PID namespace, and 0 outside of it.
	 */
	char comm[16];	  /* Name of the task, by comm or thread: untrusted bytes. */
	char process[16]; /* Name of the process's first thread: untrusted bytes. */
	pid_t pid, tid;
	long long uid;
	char *user;   /* Name of that user. NULL: it has none. */
	char *cgroup; /* Path from iotrace's own root: untrusted bytes. NULL: it is not known. */
	char *exe;    /* Path of the process's executable. NULL: it is not known. */
	struct group_call *calls; /* In ascending order of abi, then nr. */
	size_t nr_calls;
};

/* The keys of --by: a row each. */
struct group_key {
	const char *name; /* In --by and in every format: "process". */
	unsigned bit;	  /* BY_... */
};
#define NR_GROUP_KEYS 5
extern const struct group_key group_keys[NR_GROUP_KEYS];
/* Returns the key of a bit, which must be one. */
const struct group_key *group_key(unsigned bit);

/*
 * Returns the name that a group has by one key: "cc1", "nginx", "root", "1000"; of a cgroup the id
 * of its container, as far as people have it, with the path within it, or its path; (other) for
 * GROUP_OTHER.
 */
#define GROUP_NAME_SIZE 320
const char *group_name(char buf[GROUP_NAME_SIZE], const struct group_stats *g, unsigned bit);

/*
 * Is it what a user calls a group by one key? Besides its name: as reports have it, escaped; a comm
 * that the kernel has cut; a user's number; a cgroup's path.
 */
bool group_is_called(const struct group_stats *g, unsigned bit, const char *name);

/*
 * Returns what a group has by one key that tells it from others of the same name: "[812]",
 * " (1000)", or "".
 */
#define GROUP_ID_SIZE 40
const char *group_id(char buf[GROUP_ID_SIZE], const struct group_stats *g, unsigned bit);

/*
 * Returns the row of a syscall of a group, made if it is not there yet. NULL: no memory. The
 * pointer is good until the next call.
 */
struct group_call *group_stats_call(struct group_stats *g, enum iotrace_abi abi, int nr);
/* Returns that row. NULL: it is not there. */
struct group_call *group_stats_find_call(const struct group_stats *g, enum iotrace_abi abi, int nr);

/* Adds the figures of a call, and its errnos, to those of one of the same syscall. 0 or -ENOMEM. */
int group_call_merge(struct group_call *dst, const struct group_call *src);

/* Adds up all calls of a group, without their errnos. */
void group_stats_sum(struct group_call *sum, const struct group_stats *g);

/* Adds the counters, sizes and errnos of a group's call to those of a syscall. 0 or -ENOMEM. */
int syscall_stats_add_group(struct syscall_stats *s, const struct group_call *c);

void group_stats_free(struct group_stats *g);
/* Makes a deep copy. Returns 0 or -ENOMEM; dst is then empty. */
int group_stats_copy(struct group_stats *dst, const struct group_stats *src);
void groups_free(struct group_stats *groups, size_t nr);
