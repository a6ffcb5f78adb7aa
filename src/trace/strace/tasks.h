/* SPDX-License-Identifier: GPL-2.0 */
/* The tasks in strace's log, sorted by pid. For parse.c alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/syscalls.h"
#include "trace/strace/line.h"
#include "trace/strace/users.h"

/*
 * Rows of the files that a task wrote to last, by descriptor, without having read from them since.
 * 0: none.
 */
struct strace_writes {
	uint32_t files[FILE_CACHE_ENTRIES];
	/* The same as in struct iotrace_task_files and in its cache. */
	uint32_t short_reads, passed[FILE_CACHE_ENTRIES];
	uint32_t heard, heard_at[FILE_CACHE_ENTRIES]; /* heard, and what it was at each write. */
};

/* Whether a task is one of a traced process, or of a child that is left out. */
enum strace_membership {
	MEMBERSHIP_UNKNOWN,
	MEMBER,
	NOT_MEMBER,
};

/* A task, and the call that it is in. */
/* Names of a task: untrusted bytes. */
struct strace_name {
	char comm[16];
	/* That before its latest execve, while the log goes on giving it. "": it does not. */
	char outdated[16];
};

struct strace_task {
	pid_t pid;
	bool seen;     /* A line of it has come. */
	bool expected; /* strace attaches to it, and no call of it has begun yet. */
	int before;    /* Number of the call that an expected task is inside. -1: none. */
	enum strace_membership membership;
	bool inside;
	bool undecided;		      /* Whether it is wanted depends on its file. */
	bool wanted;		      /* It is in the set, and on a file of -P. */
	bool counted;		      /* It is wanted, and was entered within the window. */
	bool under_way;		      /* It began before strace attached. */
	struct syscall_traits traits; /* Traits of the call. */
	bool makes_thread;
	bool made;	 /* The task that the call has made was seen. */
	int log;	 /* Number of the log that it is in. */
	bool superseded; /* A thread took over its pid by this execve, which has succeeded. */
	bool filter;	 /* The call is a seccomp(2) or prctl(2) that puts a filter on the task. */
	enum iotrace_abi abi;
	int nr;
	uint64_t since_ns;
	/* The file of an unfinished call, from the first part of its line. */
	struct strace_said said;
	uint32_t file;		     /* Row of the descriptor. 0: none. */
	char *path;		     /* Path of an opening, allocated. NULL: none. */
	struct strace_writes writes; /* These two outlive the call. */
	struct strace_who who;	     /* The program, if there are files or groups. */
	unsigned program; /* Number of its program when the call began. 0: it is not known. */
	struct strace_name name; /* With groups: that at its latest call. */
	/* Numbers, which tasks that had the same ids before did not have; 0: none yet. */
	uint64_t nr_of_task, process_nr;
	uint32_t group; /* Group of the call. */
};

struct strace_tasks {
	struct strace_task **table;
	size_t nr;
};

/* The task of a pid; NULL: it is not known. The pointer is good until the task is removed. */
struct strace_task *strace_tasks_find(const struct strace_tasks *t, pid_t pid);

/* Finds the task, or makes it; NULL: no memory. */
struct strace_task *strace_tasks_get(struct strace_tasks *t, pid_t pid);

/*
 * Does the first call of an expected task begin the call again that it was inside before? *nr
 * becomes the number of that.
 */
bool strace_task_begins_again(const struct strace_task *task, enum iotrace_abi abi, int *nr);

/*
 * Takes over the name that the log gives a task at a call. strace, 7.2 too, keeps the name from
 * before an execve if the task's last traced call before it failed, as in a search through $PATH:
 * it decides whether execve failed before it has read that (syscall_exiting_decode() in its
 * src/syscall.c).
 */
void strace_task_take_name(struct strace_task *task, const char comm[16]);
/* The task has executed a program, whose name it has in who, if that is known. */
void strace_task_rename(struct strace_task *task);

/* Forgets a task and frees what it has, if it is known. */
void strace_tasks_remove(struct strace_tasks *t, pid_t pid);

void strace_tasks_free(struct strace_tasks *t);
