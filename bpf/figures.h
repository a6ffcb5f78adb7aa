/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of a syscall, and of a syscall on one file: a row each, in the order of reports. From
 * these rows come the members of the probes' cells and of the model's structs, merging,
 * subtracting, checking, JSON and captures both ways, CSV, columns with their help, --fail-if, and
 * the list that the schema is tested against.
 *
 * A new counter is a row here, the line of a probe (and of the strace backend) that counts it, and
 * its description in src/report/schema.json.
 */
#pragma once

/*
 * COUNTER(scope, cell, name, heading, unit, combine, part_of, needs, absent, column, ...)
 *
 *   scope    SYSCALL, FILE or BOTH: whose figure it is. Those of files alone come last.
 *   cell     CELL: a syscall's cell counts it. NO_CELL: user space finds it. A file's cell has all
 *            counters of files, except NO_PROBE.
 *   name     the member of the structs, and the key in JSON, CSV and --fail-if
 *   heading  for people
 *   unit     COUNT, NS or BYTES
 *   combine  how two of them become one: SUM, MIN, MAX, or ROOT of the sum of squares
 *   part_of  the counter that it never exceeds; succeeded: the calls without an error; none
 *   needs    enum profile_unknown: what must be known
 *   absent   what it means if a capture lacks it. REQUIRED: the capture is damaged. ZERO: it is 0.
 *            UNKNOWN: what it needs is not known, except latency. SUCCEEDED: as many as calls
 *            without an error, the most that there can be.
 *   column   COLUMN, its name for -U and -S, its heading. NO_COLUMN: src/report/columns.c lists
 *            it, or there is none.
 *
 * DERIVED(name, heading, unit, needs, absent, share, get, column, ...)
 *
 *   share    of a percentile, or 0
 *   get      the function that computes it from struct syscall_stats, or NULL
 */
/* clang-format off */
#define FIGURES(COUNTER, DERIVED)                                                                  \
	/* returned calls */                                                                       \
	COUNTER(BOTH, NO_CELL, calls, "calls", COUNT, SUM, none, 0, REQUIRED, NO_COLUMN)           \
	/* results in [-4095, -1] */                                                               \
	COUNTER(BOTH, CELL, errors, "errors", COUNT, SUM, calls, 0, REQUIRED, NO_COLUMN)           \
	/* the sum of the successful results of a call that transfers */                           \
	COUNTER(BOTH, CELL, bytes, "bytes", BYTES, SUM, none, UNKNOWN_BYTES, REQUIRED, NO_COLUMN)  \
	/* calls with a latency: all but those that a seccomp filter answered */                   \
	COUNTER(SYSCALL, NO_CELL, timed, "timed", COUNT, SUM, calls, 0, REQUIRED, NO_COLUMN)       \
	/* of the timed calls; all 0 when there are none */                                        \
	COUNTER(BOTH, CELL, total_ns, "total", NS, SUM, none, UNKNOWN_LATENCY, REQUIRED,           \
		NO_COLUMN)                                                                         \
	COUNTER(SYSCALL, NO_CELL, min_ns, "min", NS, MIN, max_ns, UNKNOWN_LATENCY, REQUIRED,       \
		NO_COLUMN)                                                                         \
	COUNTER(SYSCALL, NO_CELL, max_ns, "max", NS, MAX, none, UNKNOWN_LATENCY, REQUIRED,         \
		NO_COLUMN)                                                                         \
	DERIVED(mean_ns, "mean", NS, UNKNOWN_LATENCY, REQUIRED, 0, get_mean, NO_COLUMN)            \
	DERIVED(p50_ns, "p50", NS, UNKNOWN_LATENCY, REQUIRED, 0.5, NULL, NO_COLUMN)                \
	DERIVED(p90_ns, "p90", NS, UNKNOWN_LATENCY, REQUIRED, 0.9, NULL, NO_COLUMN)                \
	DERIVED(p99_ns, "p99", NS, UNKNOWN_LATENCY, REQUIRED, 0.99, NULL, NO_COLUMN)               \
	DERIVED(p999_ns, "p99.9", NS, UNKNOWN_LATENCY, REQUIRED, 0.999, NULL, NO_COLUMN)           \
	/* timed calls that slept: the task gave up its CPU (task_struct.nvcsw has changed) ... */ \
	COUNTER(BOTH, NO_CELL, waits, "waits", COUNT, SUM, timed,                                  \
		UNKNOWN_LATENCY | UNKNOWN_WAITS, UNKNOWN, COLUMN, "waits", "waits")                \
	/* ... their time from entry to exit, and that of the others */                            \
	COUNTER(BOTH, NO_CELL, wait_ns, "wait", NS, SUM, total_ns,                                 \
		UNKNOWN_LATENCY | UNKNOWN_WAITS, UNKNOWN, COLUMN, "wait-time", "waiting s")        \
	DERIVED(run_ns, "run", NS, UNKNOWN_LATENCY | UNKNOWN_WAITS, UNKNOWN, 0, get_run_time,      \
		COLUMN, "run-time", "running s")                                                   \
	/* timed calls that lost the CPU to another task (task_struct.nivcsw) */                   \
	COUNTER(BOTH, CELL, preempted, "preempted", COUNT, SUM, timed,                             \
		UNKNOWN_LATENCY | UNKNOWN_WAITS, UNKNOWN, COLUMN, "preempted", "preempted")        \
	/* CPU time of the timed calls */                                                          \
	COUNTER(SYSCALL, CELL, cpu_ns, "CPU", NS, SUM, total_ns,                                   \
		UNKNOWN_LATENCY | UNKNOWN_CPU, UNKNOWN, COLUMN, "cpu-time", "CPU s")               \
	DERIVED(cpu_mean_ns, "CPU mean", NS, UNKNOWN_LATENCY | UNKNOWN_CPU, UNKNOWN, 0,            \
		get_cpu_mean, NO_COLUMN)                                                           \
	/* --sample-latency: of the timed calls, those whose time is estimated by others' ... */   \
	COUNTER(BOTH, CELL, estimated, "estimated", COUNT, SUM, timed, UNKNOWN_LATENCY, ZERO,      \
		COLUMN, "estimated", "estimated")                                                  \
	COUNTER(BOTH, NO_CELL, estimated_waits, "estimated waits", COUNT, SUM, estimated,          \
		UNKNOWN_LATENCY | UNKNOWN_WAITS, ZERO, NO_COLUMN)                                  \
	/* ... and the standard error of the total that comes of that */                           \
	COUNTER(BOTH, NO_PROBE, error_of_total_ns, "total's error", NS, ROOT, total_ns,            \
		UNKNOWN_LATENCY, ZERO, COLUMN, "total-error", "+- seconds")                        \
	/* writes of at least one byte whose last byte was read ... */                             \
	COUNTER(FILE, NO_CELL, last_byte_known, "last byte known", COUNT, SUM, succeeded, 0, ZERO, \
		NO_COLUMN)                                                                         \
	/* ... and was a newline */                                                                \
	COUNTER(FILE, NO_CELL, newlines, "newlines", COUNT, SUM, last_byte_known, 0, ZERO,         \
		NO_COLUMN)                                                                         \
	/* writes whose position is known, and the end of their task's write before ... */         \
	COUNTER(FILE, NO_CELL, positioned, "positioned", COUNT, SUM, succeeded, 0, ZERO,           \
		NO_COLUMN)                                                                         \
	/* ... which is the same, or less where others write through the same position */          \
	COUNTER(FILE, NO_CELL, sequential, "sequential", COUNT, SUM, positioned, 0, ZERO,          \
		NO_COLUMN)                                                                         \
	/* reads and writes whose length is known ... */                                           \
	COUNTER(FILE, NO_CELL, measured, "measured", COUNT, SUM, succeeded, 0, ZERO, NO_COLUMN)    \
	/* ... and that moved less */                                                              \
	COUNTER(FILE, NO_CELL, cut_short, "cut short", COUNT, SUM, measured, 0, ZERO, NO_COLUMN)   \
	/* writes that begin a run; see iotrace_file_cache_entry */                                \
	COUNTER(FILE, NO_CELL, runs, "runs", COUNT, SUM, succeeded, 0, SUCCEEDED, NO_COLUMN)       \
	/* writes that pass on what a pipe brought; see iotrace_file_cache_entry */                \
	COUNTER(FILE, NO_CELL, passed_on, "passed on", COUNT, SUM, succeeded, 0, ZERO, NO_COLUMN)  \
	/* openings that empty the file or have to make it: O_TRUNC, O_EXCL */                     \
	COUNTER(FILE, NO_CELL, anew, "begun anew", COUNT, SUM, succeeded, 0, ZERO, NO_COLUMN)      \
	/* the time of the errors */                                                               \
	COUNTER(FILE, NO_CELL, error_ns, "errors' time", NS, SUM, total_ns, UNKNOWN_LATENCY, ZERO, \
		NO_COLUMN)

/*
 * HISTOGRAM(scope, cell, name, unit, buckets, octave, count_of, exact, part_of, needs, absent)
 *
 *   buckets   of a syscall; 2^octave of them are one bucket of a file
 *   count_of  the counter that its counts add up to, if EXACT; otherwise (and for files) AT_MOST
 *   part_of   the histogram of which each of its buckets is a part; `none`
 */
#define HISTOGRAMS(HISTOGRAM)                                                                      \
	HISTOGRAM(BOTH, CELL, latency, NS, LATENCY_BUCKETS, LATENCY_SUB_LOG2, timed, EXACT, none,  \
		UNKNOWN_LATENCY, REQUIRED)                                                         \
	HISTOGRAM(SYSCALL, NO_CELL, wait_latency, NS, LATENCY_BUCKETS, 0, waits, EXACT, latency,   \
		UNKNOWN_LATENCY | UNKNOWN_WAITS, UNKNOWN)                                          \
	HISTOGRAM(BOTH, CELL, sizes, BYTES, SIZE_BUCKETS, 0, succeeded, AT_MOST, none,             \
		UNKNOWN_BYTES, REQUIRED)
/* clang-format on */

/* Select rows by scope and cell. */
#define IN_SYSCALL_SYSCALL(...) __VA_ARGS__
#define IN_SYSCALL_BOTH(...)	__VA_ARGS__
#define IN_SYSCALL_FILE(...)
#define IN_FILE_SYSCALL(...)
#define IN_FILE_BOTH(...) __VA_ARGS__
#define IN_FILE_FILE(...) __VA_ARGS__
#define IN_CELL_CELL(...) __VA_ARGS__
#define IN_CELL_NO_CELL(...)
#define IN_CELL_NO_PROBE(...)
#define IN_FILE_CELL_CELL(...)	  __VA_ARGS__
#define IN_FILE_CELL_NO_CELL(...) __VA_ARGS__
#define IN_FILE_CELL_NO_PROBE(...)
#define NO_FIGURE(...)

/*
 * The members of a struct that has the figures of a syscall, of one on a file, and of the cells of
 * both.
 */
#define SYSCALL_COUNTER(scope, cell, name, ...) IN_SYSCALL_##scope(u64 name;)
#define SYSCALL_HISTOGRAM(scope, cell, name, unit, buckets, ...) \
	IN_SYSCALL_##scope(u64 name[buckets];)
#define SYSCALL_FIGURES FIGURES(SYSCALL_COUNTER, NO_FIGURE) HISTOGRAMS(SYSCALL_HISTOGRAM)

#define FILE_COUNTER(scope, cell, name, ...) IN_FILE_##scope(u64 name;)
#define FILE_BUCKETS(buckets, octave)	     ((((buckets)-1) >> (octave)) + 1)
#define FILE_HISTOGRAM(scope, cell, name, unit, buckets, octave, ...) \
	IN_FILE_##scope(u64 name[FILE_BUCKETS(buckets, octave)];)
#define FILE_FIGURES FIGURES(FILE_COUNTER, NO_FIGURE) HISTOGRAMS(FILE_HISTOGRAM)

#define FILE_CELL_COUNTER(scope, cell, name, ...) IN_FILE_##scope(IN_FILE_CELL_##cell(u64 name;))
/* clang-format off */
#define FILE_CELL_FIGURES FIGURES(FILE_CELL_COUNTER, NO_FIGURE) HISTOGRAMS(FILE_HISTOGRAM)
/* clang-format on */

#define CELL_COUNTER(scope, cell, name, ...)		      IN_CELL_##cell(u64 name;)
#define CELL_COUNTERS					      FIGURES(CELL_COUNTER, NO_FIGURE)
#define CELL_HISTOGRAM(scope, cell, name, unit, buckets, ...) IN_CELL_##cell(u64 name[buckets];)
#define CELL_HISTOGRAMS					      HISTOGRAMS(CELL_HISTOGRAM)
/* Their number of words. */
#define CELL_COUNTER_WORD(scope, cell, name, ...)		    IN_CELL_##cell(+1)
#define CELL_HISTOGRAM_WORDS(scope, cell, name, unit, buckets, ...) IN_CELL_##cell(+(buckets))
/* clang-format off */
#define CELL_FIGURE_WORDS \
	(FIGURES(CELL_COUNTER_WORD, NO_FIGURE) HISTOGRAMS(CELL_HISTOGRAM_WORDS))
/* clang-format on */
