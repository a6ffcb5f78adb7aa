/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The model of a run: what a collector measured, and all that a renderer may use. Plain data and pure functions, no
 * I/O.
 */
#ifndef IOTRACE_PROFILE_H
#define IOTRACE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/iotrace.h"
#include "model/calibration.h"
#include "model/programs.h"

/* Figures that a backend or an option leaves unknown: shown as "-", written as null, never as 0. */
enum profile_unknown {
	UNKNOWN_LATENCY = 1 << 0, /* total, min, max and the latency histogram */
	UNKNOWN_BYTES = 1 << 1,	  /* bytes and the size histogram */
	UNKNOWN_ENTERED = 1 << 2, /* entered and in flight */
	UNKNOWN_FILES = 1 << 3,	  /* which files the calls were about */
	UNKNOWN_USERS = 1 << 4,	  /* whose calls on the files they were */
	UNKNOWN_GAINS = 1 << 5,	  /* what a fix would gain: the times are not the calls' own */
	UNKNOWN_WAITS = 1 << 6,	  /* which calls slept or were preempted, and how long those took */
	UNKNOWN_CPU = 1 << 7,	  /* CPU time */
};

struct errno_count {
	int err; /* positive, 1..4095 */
	uint64_t count;
};

/* One syscall of one ABI. Times are CLOCK_MONOTONIC ns between entry and exit. */
struct syscall_stats {
	enum iotrace_abi abi;
	int nr;
	char name[40];	 /* as strace prints it; syscall_0x%x where there is no name */
	bool transfers;	 /* its result is a number of bytes: bytes and sizes mean something */
	uint64_t calls;	 /* returned calls */
	uint64_t errors; /* results in [-4095, -1] */
	uint64_t timed;	 /* calls with a latency: all but those that a seccomp filter answered */
	uint64_t total_ns, min_ns, max_ns; /* of the timed calls; all 0 when there are none */
	/*
	 * Of the timed calls: those that slept (the task gave up its CPU: task_struct.nvcsw changed), their time from
	 * entry to exit, and those that lost the CPU to another task (task_struct.nivcsw).
	 */
	uint64_t waits, wait_ns, preempted;
	uint64_t cpu_ns; /* CPU time of the timed calls */
	uint64_t bytes;	 /* sum of the successful results of a call that transfers */
	uint64_t latency[LATENCY_BUCKETS]; /* of the timed calls */
	uint64_t wait_latency
		[LATENCY_BUCKETS];    /* of those among them that slept; adds up to waits */
	uint64_t sizes[SIZE_BUCKETS]; /* of the successful results of a call that transfers */
	struct errno_count *errnos;   /* ascending by err; their counts add up to errors */
	size_t nr_errnos;
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
	uint64_t elapsed_ns;   /* of the window */
	uint64_t overhead_ps;  /* what tracing adds to a call, picoseconds; 0: not asked for */
	struct calibration calibration;

	struct syscall_stats *syscalls; /* those with calls, ascending by abi, then nr */
	size_t nr_syscalls;

	/* entered = returned + nr_inflight + died; what is lost is in none of them. */
	uint64_t entered, returned;
	uint64_t in_flight; /* not returned when tracing ended */
	uint64_t died;	    /* their task ended before they returned */
	uint64_t
		under_way; /* calls that began before tracing and have returned: not in any figure */
	uint64_t lost;	   /* calls known to have happened that could not be counted */
	uint64_t
		lost_tasks; /* tasks that could not be followed: their calls are not in any figure */
	uint64_t lost_errnos;		/* errors that are counted, but whose errno is not known */
	uint64_t left_out;		/* processes that gained privileges at an execve */
	struct inflight_call *inflight; /* the in-flight calls that could be named; longest first */
	size_t nr_inflight;

	struct file_stats *files; /* ascending by id */
	size_t nr_files;
	uint64_t misplaced_calls; /* calls on files with a row that are among (other)'s */
	uint64_t lost_file_users; /* processes missing among the files' users */

	struct iotrace_busy busy;	/* of all programs; all zeroes: not known */
	struct program_stats *programs; /* by pid and name; none in a capture, whose files know */
	size_t nr_programs;

	const struct provenance *provenance; /* not owned; NULL: nothing is known */
};

/* Frees everything in it and leaves an empty profile. A zeroed profile is an empty profile. */
void profile_free(struct profile *p);

/*
 * The row of a syscall; made, zeroed but for abi and nr, if it is not there yet (the caller fills name and
 * transfers). NULL: no memory. The pointer is good until the next call.
 */
struct syscall_stats *profile_syscall(struct profile *p, enum iotrace_abi abi, int nr);
/* The same; NULL if it is not there. */
struct syscall_stats *profile_find_syscall(struct profile *p, enum iotrace_abi abi, int nr);

/* Sorts the calls in flight, the longest first. */
void profile_sort_inflight(struct profile *p);

/* Adds count failures with this errno to a row's errnos (not to its errors). 0 or -ENOMEM. */
int syscall_stats_add_errno(struct syscall_stats *s, int err, uint64_t count);

/* Adds one returned call: result, latency (timed only), bytes and size; not waits. 0 or -ENOMEM (only the errno lost). */
int syscall_stats_add_call(struct syscall_stats *s, int64_t result, bool timed, uint64_t ns);

/* Adds src's figures to dst (same syscall). 0 or -ENOMEM. */
int syscall_stats_merge(struct syscall_stats *dst, const struct syscall_stats *src);

/* A mean, rounded to nearest as strace does; 0 of none. */
uint64_t rounded_mean(uint64_t total, uint64_t nr);

/* Mean latency, ns; 0 without timed calls. */
uint64_t syscall_stats_mean_ns(const struct syscall_stats *s);

/* Latency below which this share of the calls lies, ns; see histogram_percentile(). */
uint64_t syscall_stats_percentile_ns(const struct syscall_stats *s, double share);

/*
 * The timed calls that slept, or those that did not, as a row of their own: calls and latency alone. Its minimum and
 * maximum are those of the edges of its buckets, kept within s's.
 */
void syscall_stats_part(struct syscall_stats *part, const struct syscall_stats *s, bool slept);

/* Where the profile comes from; an empty provenance if that is not known. */
const struct provenance *profile_provenance(const struct profile *p);

/* Deep copy. 0 or -ENOMEM (dst is then empty). */
int profile_copy(struct profile *dst, const struct profile *src);

/*
 * What happened between two snapshots of one run: now - before, in figures and histograms. Minimum and
 * maximum of the difference are those of the edges of its buckets, kept within now's. Calls that were in flight
 * at the first snapshot are among the entered, so that entered = returned + in_flight + died holds as ever.
 * For files see profile_subtract_files(). *out is overwritten. 0 or -ENOMEM (out is then empty).
 */
int profile_difference(struct profile *out, const struct profile *now,
		       const struct profile *before);
#endif
