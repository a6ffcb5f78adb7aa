/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between the probes and user space for groups: who makes the calls (--by). Included
 * by iotrace.h.
 */
#pragma once

#define MAX_GROUP_KEYS 2

/* What the calls of a group have in common, as bits of cfg_groups. Two of them make a tree. */
enum {
	BY_COMM = 1 << 0,    /* The name of the task. */
	BY_PROCESS = 1 << 1, /* The process, whatever it executes. */
	BY_THREAD = 1 << 2,
	BY_USER = 1 << 3,   /* The real user. */
	BY_CGROUP = 1 << 4, /* The cgroup of version 2 that the task is in. */
};

/* Numbers of groups. */
enum {
	GROUP_NONE = 0,
	GROUP_OTHER = 1, /* (other): the groups that there was no room for. */
	GROUP_FIRST = 2,
};

/*
 * What tells groups apart. What they are not grouped by is 0. An id of a task alone may be another
 * one's later, so it stands with the time that the task began, which a process keeps when another
 * thread than its first executes a program (de_thread() in fs/exec.c).
 */
struct iotrace_group_key {
	u64 process_ns, thread_ns; /* CLOCK_MONOTONIC */
	u64 cgroup;		   /* Its id. */
	s32 process, thread;	   /* Ids in the first PID namespace. */
	u32 user;
	u32 zero; /* A key has no padding: all of it is compared. */
	char comm[16];
};

struct iotrace_group {
	u32 number;
	s32 process, thread; /* Ids in iotrace's PID namespace. 0: they are outside. */
	/* The latest names of the process's first thread, and of the thread: untrusted bytes. */
	char process_comm[16], thread_comm[16];
};

/*
 * The path of a cgroup as its names from the cgroup up, each ended by a NUL, to iotrace's root. Of
 * a longer one the end is kept.
 */
#define CGROUP_PATH_SIZE  512
#define CGROUP_PATH_DEPTH 16
#define CGROUP_NAME_SIZE  256 /* NAME_MAX, and a NUL. */

struct iotrace_cgroup {
	u32 len; /* Length of path in bytes, the NULs included. */
	u32 cut; /* Not 0: names are missing at the path's beginning. */
	char path[CGROUP_PATH_SIZE + CGROUP_NAME_SIZE];
};

/* A cell holds one CPU's count of one syscall of one group, so no atomics are needed. */
#define GROUP_PLACE(cpu, slot)	     ((u32)(cpu) << 16 | (slot))
#define GROUP_CELL_KEY(group, place) ((u64)(group) << 32 | (place))
#define GROUP_CELL_GROUP(key)	     ((u32)((key) >> 32))
#define GROUP_CELL_SLOT(key)	     ((u32)(key)&SLOT_MASK)

struct iotrace_group_cell {
	u64 key; /* GROUP_CELL_KEY() */
	struct iotrace_counts counts;
	u64 waits, wait_ns, estimated_waits;
	GROUP_HISTOGRAMS
	/* What most calls add to is in its first cache line. */
	u64 pad[8 - (8 + GROUP_FIGURE_WORDS) % 8];
};

/*
 * Cells beyond the first ones are in arrays of this many, which user space adds while the probes
 * run: it begins with the next one when so many cells are left.
 */
#define GROUP_CELLS_ADDED 2048
#define GROUP_CELLS_LEFT  2048
/* Their numbers begin here: a call finds them without knowing how many first ones there are. */
#define GROUP_CELL_FIRST_ADDED (1 << 20)
#define GROUP_CELL_FIRST_ARRAY (GROUP_CELL_FIRST_ADDED / GROUP_CELLS_ADDED)

/* The last cells that a task has found, by syscall. */
#define GROUP_CACHE_ENTRIES 16

/* The third part of a task's state, if there are groups. */
struct iotrace_task_group {
	/*
	 * What the task had in common with its group at its last call: as long as it has, the group
	 * is the same. What may not change, or does not count, is 0.
	 */
	u64 comm[2];
	u64 cgroup;
	u32 thread, user;
	struct {
		u32 place;  /* GROUP_PLACE(). 0: the entry is empty. */
		u32 number; /* Number of the cell. 0: it has none. */
	} known[GROUP_CACHE_ENTRIES];
};
