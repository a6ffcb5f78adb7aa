/* SPDX-License-Identifier: GPL-2.0 */
/* The model of a run: all that a collector has measured. Plain data and pure functions, no I/O. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/iotrace.h"
#include "model/calibration.h"
#include "model/groups.h"
#include "model/processes.h"
#include "model/program_calls.h"
#include "model/programs.h"
#include "model/sites.h"
#include "model/syscall_stats.h"

/* Figures that a backend or an option leaves unknown: shown as "-", written as null, never as 0. */
enum profile_unknown {
	UNKNOWN_LATENCY = 1 << 0, /* Total, min, max and the latency histogram. */
	UNKNOWN_BYTES = 1 << 1,	  /* Bytes and the size histogram. */
	UNKNOWN_ENTERED = 1 << 2, /* Entered and in flight. */
	UNKNOWN_FILES = 1 << 3,	  /* Which files the calls were about. */
	UNKNOWN_USERS = 1 << 4,	  /* Whose calls on the files they were. */
	UNKNOWN_GAINS = 1 << 5,	  /* The gain of a fix, as the times are not the calls' own. */
	UNKNOWN_WAITS = 1 << 6, /* Which calls slept or were preempted, and how long those took. */
	UNKNOWN_CPU = 1 << 7,	/* CPU time. */
	/* These were not traced, and what they would excuse is taken to be there. */
	UNKNOWN_READS = 1 << 8,
	UNKNOWN_SYNCS = 1 << 9,
	UNKNOWN_IDLE = 1 << 10,	 /* Which waits were for other programs and timers. */
	UNKNOWN_NAGLE = 1 << 11, /* For how long Nagle's algorithm has held writes back. */
};

/* A call that had not returned when the profile was taken. */
struct inflight_call {
	pid_t pid, tid; /* 0: outside iotrace's PID namespace. */
	char comm[16];	/* NUL-terminated, untrusted bytes. */
	enum iotrace_abi abi;
	int nr;
	char name[40];
	/* It began before tracing: since_ns is a lower bound, and in_flight does not count it. */
	bool before;
	uint64_t since_ns; /* How long it had been in there. 0: not known. */
};

struct provenance;
struct file_stats;

struct profile {
	const char *backend;   /* "bpf" or "strace". */
	const char *time_note; /* What times include besides the kernel's own. NULL: nothing. */
	unsigned unknown;      /* Bits of enum profile_unknown. */
	/*
	 * One call in so many was timed. 0 and 1: every call. Until profile_estimate() has been
	 * called, times are those of the timed calls alone, without their estimated ones.
	 */
	uint64_t sample_latency;
	uint64_t elapsed_ns; /* Length of the window. */
	/* It is a part of a run, between these times from its start. Both 0: it is all of it. */
	uint64_t from_ns, to_ns;
	uint64_t overhead_ps; /* What tracing adds to a call, in picoseconds. 0: not asked for. */
	struct calibration calibration;

	struct syscall_stats *syscalls; /* Those with calls, in ascending order of abi, then nr. */
	size_t nr_syscalls;

	/* It holds that entered = returned + in_flight + died. Lost calls are in none of them. */
	uint64_t entered, returned;
	uint64_t in_flight; /* Calls that had not returned when tracing ended. */
	uint64_t died;	    /* Calls whose task ended before they returned. */
	uint64_t under_way; /* Calls that began before tracing, and returned. No figure has them. */
	uint64_t lost;	    /* Calls that are known to have happened and could not be counted. */
	uint64_t lost_tasks;  /* Tasks that could not be followed. No figure has their calls. */
	uint64_t lost_errnos; /* Errors that are counted, but whose errno is not known. */
	uint64_t excluded;    /* Processes that gained privileges at an execve. */
	/* The calls in flight that could be named, the longest first. */
	struct inflight_call *inflight;
	size_t nr_inflight;

	struct file_stats *files; /* The files in ascending order of id. */
	size_t nr_files;
	uint64_t misplaced_calls; /* Calls on files that are among (other)'s, for lack of room. */
	uint64_t lost_file_users; /* Processes missing among the files' users. */

	unsigned by[MAX_GROUP_KEYS]; /* What groups are told apart by: BY_..., 0 after the last. */
	struct group_stats *groups;  /* Those with calls, in ascending order of id. */
	size_t nr_groups;

	struct stacks stacks; /* The stacks that the files' sites are of. A copy has none. */

	struct busy busy; /* Busy time of all programs. All zeroes: not known. */
	/* The programs by pid and name. A capture has none, as its files know. */
	struct program_stats *programs;
	size_t nr_programs;
	/* The calls of each program, that with most first. */
	struct program_calls *program_calls;
	size_t nr_program_calls;
	/* Processes that were started again and again. */
	struct process_group *process_groups;
	size_t nr_process_groups;

	/* Where the profile comes from; not owned. NULL: not known. */
	const struct provenance *provenance;
};

/* Frees everything in it and leaves an empty profile. A zeroed profile is an empty profile. */
void profile_free(struct profile *p);

/*
 * Returns the row of a syscall. One that is not there yet is made, zeroed but for abi and nr, and
 * the caller fills in name and transfers. NULL: no memory. The pointer is good until the next call.
 */
struct syscall_stats *profile_syscall(struct profile *p, enum iotrace_abi abi, int nr);
/* Returns the row of a syscall. NULL: it is not there. */
struct syscall_stats *profile_find_syscall(const struct profile *p, enum iotrace_abi abi, int nr);

/* Was anything counted? */
bool profile_has_calls(const struct profile *p);

/* Adds up all its syscalls, without their errnos. */
void profile_sum(struct syscall_stats *sum, const struct profile *p);
/*
 * Is it known that some of the time went into waiting for other programs and timers? Tables then
 * tell the busy time.
 */
bool profile_has_idle(const struct profile *p);

/* Sorts the calls in flight, the longest first. */
void profile_sort_inflight(struct profile *p);

/* Returns the origin of the profile, which is empty if it is not known. */
const struct provenance *profile_provenance(const struct profile *p);

/*
 * Makes a deep copy, without programs and their calls, groups of processes and stacks. Returns 0 or
 * -ENOMEM; dst is then empty.
 */
int profile_copy(struct profile *dst, const struct profile *src);

/*
 * Subtracts one snapshot of a run from a later one: now - before, in figures and histograms (see
 * syscall_stats_subtract()). Calls that were in flight at the first snapshot are among the entered,
 * so that entered = returned + in_flight + died holds as ever. The figures of a running program are
 * read one after the other, so those of a difference may be a call apart, as only their sums are
 * exact; those of a syscall that has no call yet are taken out of now, which the next difference
 * begins with. A file's are read a moment after the syscalls', so the sums over out's files are not
 * quite those of its syscalls. *out is overwritten. Returns 0 or -ENOMEM; out is then empty.
 */
int profile_difference(struct profile *out, struct profile *now, const struct profile *before);

/*
 * Replaces the times of the timed calls by those of all calls, with the standard error of the
 * totals. Does nothing where every call was timed. Call it once, after profile_difference().
 */
void profile_estimate(struct profile *p);
