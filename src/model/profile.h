/* SPDX-License-Identifier: GPL-2.0 */
/* The model of a run: all that a collector has measured. Plain data and pure functions, no I/O. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/iotrace.h"
#include "model/calibration.h"
#include "model/programs.h"
#include "model/syscall_stats.h"

/* Figures that a backend or an option leaves unknown: shown as "-", written as null, never as 0. */
enum profile_unknown {
	UNKNOWN_LATENCY = 1 << 0, /* total, min, max and the latency histogram */
	UNKNOWN_BYTES = 1 << 1,	  /* bytes and the size histogram */
	UNKNOWN_ENTERED = 1 << 2, /* entered and in flight */
	UNKNOWN_FILES = 1 << 3,	  /* which files the calls were about */
	UNKNOWN_USERS = 1 << 4,	  /* whose calls on the files they were */
	UNKNOWN_GAINS = 1 << 5,	  /* the gain of a fix: the times are not the calls' own */
	UNKNOWN_WAITS = 1 << 6,	  /* which calls slept or were preempted, and how long those took */
	UNKNOWN_CPU = 1 << 7,	  /* CPU time */
};

/* A call that had not returned when the profile was taken. */
struct inflight_call {
	pid_t pid, tid; /* 0: outside iotrace's PID namespace */
	char comm[16];	/* NUL-terminated, untrusted bytes */
	enum iotrace_abi abi;
	int nr;
	char name[40];
	bool before; /* since before tracing began: since_ns is a lower bound; not in in_flight */
	uint64_t since_ns; /* how long it had been in there; 0: not known */
};

struct provenance;
struct file_stats; /* files.h */

struct profile {
	const char *backend;   /* "bpf", "strace" */
	const char *time_note; /* what times include besides the kernel's own; NULL: nothing */
	unsigned unknown;      /* enum profile_unknown */
	/*
	 * One call in so many was timed; 0 and 1: every call. Until profile_estimate() has been
	 * called, times are those of the timed calls alone, without their `estimated` ones.
	 */
	uint64_t sample_latency;
	uint64_t elapsed_ns;  /* of the window */
	uint64_t overhead_ps; /* what tracing adds to a call, picoseconds; 0: not asked for */
	struct calibration calibration;

	struct syscall_stats *syscalls; /* those with calls, ascending by abi, then nr */
	size_t nr_syscalls;

	/* entered = returned + in_flight + died; lost calls are in none of them. */
	uint64_t entered, returned;
	uint64_t in_flight;   /* not returned when tracing ended */
	uint64_t died;	      /* their task ended before they returned */
	uint64_t under_way;   /* begun before tracing, and returned: not in any figure */
	uint64_t lost;	      /* calls known to have happened that could not be counted */
	uint64_t lost_tasks;  /* could not be followed: their calls are not in any figure */
	uint64_t lost_errnos; /* errors that are counted, but whose errno is not known */
	uint64_t excluded;    /* processes that gained privileges at an execve */
	struct inflight_call *inflight; /* the in-flight calls that could be named; longest first */
	size_t nr_inflight;

	struct file_stats *files; /* ascending by id */
	size_t nr_files;
	uint64_t misplaced_calls; /* calls on files that are among (other)'s, for lack of room */
	uint64_t lost_file_users; /* processes missing among the files' users */

	struct busy busy;		/* of all programs; all zeroes: not known */
	struct program_stats *programs; /* by pid and name; none in a capture, whose files know */
	size_t nr_programs;

	const struct provenance *provenance; /* not owned; NULL: nothing is known */
};

/* Frees everything in it and leaves an empty profile. A zeroed profile is an empty profile. */
void profile_free(struct profile *p);

/*
 * The row of a syscall; made, zeroed but for abi and nr, if it is not there yet (the caller fills
 * name and transfers). NULL: no memory. The pointer is good until the next call.
 */
struct syscall_stats *profile_syscall(struct profile *p, enum iotrace_abi abi, int nr);
/* The row of a syscall; NULL: it is not there. */
struct syscall_stats *profile_find_syscall(const struct profile *p, enum iotrace_abi abi, int nr);

/* Adds up all its syscalls, without their errnos. */
void profile_sum(struct syscall_stats *sum, const struct profile *p);

/* Sorts the calls in flight, the longest first. */
void profile_sort_inflight(struct profile *p);

/* The origin of the profile; an empty provenance if that is not known. */
const struct provenance *profile_provenance(const struct profile *p);

/* Deep copy. 0 or -ENOMEM (dst is then empty). */
int profile_copy(struct profile *dst, const struct profile *src);

/*
 * Subtracts one snapshot of a run from a later one: now - before, in figures and histograms; see
 * syscall_stats_subtract(). Calls that were in flight at the first snapshot are among the entered,
 * so that entered = returned + in_flight + died holds as ever. A running program's files are read a
 * moment after its syscalls, so the sums over out's files are not quite those of its syscalls. *out
 * is overwritten. 0 or -ENOMEM (out is then empty).
 */
int profile_difference(struct profile *out, const struct profile *now,
		       const struct profile *before);

/*
 * Replaces the times of the timed calls by those of all calls, with the standard error of the
 * totals. Does nothing where every call was timed. Call it once, after profile_difference().
 */
void profile_estimate(struct profile *p);
