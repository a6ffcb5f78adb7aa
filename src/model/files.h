/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of a run: what each is, who used it, and the figures of each syscall on it. Plain data,
 * as in profile.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/iotrace.h"
#include "model/busy.h"
#include "model/language.h"
#include "model/logger.h"
#include "model/sites.h"
#include "model/syscalls.h"

enum file_kind {
	FILE_KIND_OTHER,   /* (other): the calls that found no room for a row of their own. */
	FILE_KIND_INVALID, /* Descriptors that were not open. */
	FILE_KIND_FAILED,  /* A path that could not be opened or found. */
	/* A path that exists, and is looked at again: its first look is not counted. */
	FILE_KIND_FOUND,
	FILE_KIND_REGULAR,
	FILE_KIND_DIRECTORY,
	FILE_KIND_PIPE,
	FILE_KIND_SOCKET,
	FILE_KIND_TTY,
	FILE_KIND_DEVICE, /* Other character devices. */
	FILE_KIND_BLOCK,
	FILE_KIND_EVENTFD,
	FILE_KIND_MEMFD,
	FILE_KIND_ANON,	   /* Other files without a name: epoll, timerfd and the like. */
	FILE_KIND_DELETED, /* A regular file whose last name is gone. */
	NR_FILE_KINDS,
};

/* One syscall of one ABI on one file. */
struct file_call {
	enum iotrace_abi abi;
	int nr;
	char name[40]; /* The name as strace prints it. */
	bool transfers;
	FILE_FIGURES
};

struct file_user {
	pid_t pid;     /* 0: it is not known, or there are several. */
	char comm[16]; /* NUL-terminated, untrusted bytes. */
	uint64_t calls;
	uint64_t processes; /* How many they are. */
};

/* The calls of a group (--by) on a file. */
struct file_group {
	uint32_t id; /* As in struct group_stats. */
	uint64_t calls;
};

struct file_stats {
	uint32_t id; /* Tells rows with the same path apart. FILE_ID_OTHER and up. */
	enum file_kind kind;
	char *path; /* Untrusted bytes, relative to the root of its first user's process. */
	bool cut;   /* The path's beginning is missing, or its end if it failed or was found. */
	char fstype[16];
	uint32_t flags;	     /* O_APPEND, O_SYNC, O_DSYNC and O_DIRECT of any of its openings. */
	int err;	     /* Errno of a path that failed. 0: it did not fail. */
	uint32_t written_by; /* Bits of enum written_by. */
	uint64_t size;	     /* Bytes of a regular file that is read, at the end. 0: not known. */
	struct file_call *calls; /* The calls on it, in ascending order of abi, then nr. */
	size_t nr_calls;
	/* Those who used it; in a result, whoever made most calls comes first. */
	struct file_user *users;
	size_t nr_users;
	uint64_t more_users; /* Number of users that are not in the list. */
	/* Those of its calls whose group is known: a group may stand there several times. */
	struct file_group *groups;
	size_t nr_groups;
	struct site *sites; /* Where its calls come from. */
	size_t nr_sites;
	struct busy busy; /* Busy time of all its users. All zeroes: not known. */
	/* Number of its users' processes, set by files_by_path(). 0: not known. */
	uint64_t processes;
	/* Number of inodes that had its path, set by files_by_path(). 0: not known. */
	uint64_t inodes;
	/* Language and logger of the user that made most calls. */
	enum language language;
	enum logger logger;
	bool by_threads; /* Several threads of it made the calls. False: that is not known. */
	/* Sums over its calls, set by files_by_path(). Waits for others are not in the time. */
	uint64_t busy_ns, total_calls;
};

/* Rows that stand for many files. */
enum {
	FILE_ID_OTHER = ROW_OTHER,
	FILE_ID_INVALID = ROW_INVALID,
	/* No row, but (other), because there are as many rows as may be. */
	FILE_ID_NO_ROOM = ROW_OTHER | ROW_NO_ROOM,
};

/* Returns "regular", "socket" and the like, as in every format. */
const char *file_kind_name(enum file_kind kind);
/* Returns the kind of a name. NR_FILE_KINDS: there is none. */
enum file_kind file_kind_parse(const char *name);
/*
 * Returns the kind of a character device: FILE_KIND_TTY, which the other ends of pseudo-terminals
 * are, too, or FILE_KIND_DEVICE.
 */
enum file_kind file_kind_of_device(uint32_t major);

/* Fills in "append", "sync", "dsync" and "direct". A NULL ends the words. */
#define NR_FILE_FLAGS 4
void file_flag_words(const char *words[NR_FILE_FLAGS + 1], uint32_t flags);
/* Writes the words, separated by commas, into buf, of 32 bytes, and returns that. */
const char *file_flags_text(char *buf, uint32_t flags);
/* Returns the flags of one such word. 0: there is none. */
uint32_t file_flag_parse(const char *word);

/* Does it keep what is written to it, in a file system or by itself? */
bool file_is_on_disk(const struct file_stats *f);

/*
 * Is it in a pseudo file system, or among the devices? The kernel makes its content, and even its
 * name, when it is asked: whoever looks again gets news, of which neither modification times nor
 * inotify tell.
 */
bool file_is_pseudo(const struct file_stats *f);

/* Is it written by this descriptor alone? */
bool file_is_stdout(const struct file_stats *f);
bool file_is_stderr(const struct file_stats *f);
/* Is it written by both, as with 2>&1? */
bool file_is_both_outputs(const struct file_stats *f);

/*
 * Returns the row of a syscall on a file, made if it is not there yet. NULL: no memory. The pointer
 * is good until the next call.
 */
struct file_call *file_stats_call(struct file_stats *f, enum iotrace_abi abi, int nr);
/* Adds calls of a process under one name: a new comm makes another user. Returns 0 or -ENOMEM. */
int file_stats_add_user(struct file_stats *f, pid_t pid, const char comm[16], uint64_t calls);
/* Adds the calls of a user that may be several processes, without pids then. 0 or -ENOMEM. */
int file_stats_merge_user(struct file_stats *f, const struct file_user *user);
/*
 * Makes an array of the users, whoever made most calls first: as they are if there are at most so
 * many, and otherwise by name, processes that executed the same program as one. Returns 0 or
 * -ENOMEM. To be freed.
 */
int file_users_list(const struct file_stats *f, size_t most, struct file_user **users, size_t *nr);

/* ---- file_groups.c ---- */

/* Appends groups to a list. Returns 0 or -ENOMEM. */
int file_groups_append(struct file_group **groups, size_t *nr, const struct file_group *added,
		       size_t nr_added);
/* Adds up the calls of each group, and sorts: whoever made most calls comes first. */
void file_groups_sort(struct file_group *groups, size_t *nr);

/* ---- files.c ---- */

/* Adds the figures of a call to those of one of the same syscall. */
void file_call_merge(struct file_call *dst, const struct file_call *src);

void file_stats_free(struct file_stats *f);
/* Makes a deep copy. Returns 0 or -ENOMEM; dst is then empty. */
int file_stats_copy(struct file_stats *dst, const struct file_stats *src);

/* Returns the number of calls that moved at least one byte: means are of these. */
uint64_t file_call_moved(const struct file_call *c);

/*
 * Adds the sites of one syscall on a file to a list. Its calls and their time are counted exactly,
 * and shared out by the samples. Returns 0 or -ENOMEM.
 */
int file_call_sites(struct site **sites, size_t *nr, const struct file_stats *f,
		    const struct file_call *c);

/* Adds up the figures of a file's calls of one action. NR_SYSCALL_ACTIONS: all of its calls. */
void file_stats_sum(struct file_call *sum, const struct file_stats *f, enum syscall_action action);

/* Sorts the files of files_by_path() by time, descending. */
void files_sort(struct file_stats *files, size_t nr_files);

void files_free(struct file_stats *files, size_t nr_files);

/*
 * Makes "/a/b/c" from len bytes of names, from the file up, each ended by a NUL. A detached path
 * has no slash at its beginning, a cut one has "...". Returns a text to be freed, or NULL without
 * memory.
 */
char *file_path_from_names(const char *names, size_t len, bool cut, bool detached);
