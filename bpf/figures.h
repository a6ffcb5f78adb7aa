/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of a syscall, and of a syscall on one file: a row each, in the order of reports. From
 * these rows come the members of the probes' cells and of the model's structs. What the figures
 * mean, and how they are shown, combined, checked and read, stands in src/model/figures.c.
 */
#pragma once

/*
 * COUNTER(scope, cell, name)
 *
 *   scope    SYSCALL, FILE or BOTH: whose figure it is. Those of files alone come last.
 *   cell     CELL: the cells of its scope count it. NO_CELL: a file's cell counts it, and for a
 *            syscall user space finds it. NO_PROBE: no cell counts it, user space finds it.
 *   name     the member of the structs, and the key in JSON, CSV and --fail-if
 *
 * DERIVED(name): user space computes it from the others.
 */
/* clang-format off */
#define FIGURES(COUNTER, DERIVED) \
	COUNTER(BOTH, NO_CELL, calls) \
	COUNTER(BOTH, CELL, errors) \
	COUNTER(BOTH, CELL, bytes) \
	COUNTER(SYSCALL, NO_CELL, timed) \
	COUNTER(BOTH, CELL, total_ns) \
	COUNTER(SYSCALL, NO_CELL, min_ns) \
	COUNTER(SYSCALL, NO_CELL, max_ns) \
	DERIVED(mean_ns) \
	DERIVED(p50_ns) \
	DERIVED(p90_ns) \
	DERIVED(p99_ns) \
	DERIVED(p999_ns) \
	COUNTER(BOTH, NO_CELL, waits) \
	COUNTER(BOTH, NO_CELL, wait_ns) \
	DERIVED(run_ns) \
	COUNTER(BOTH, CELL, idle_ns) \
	DERIVED(busy_ns) \
	COUNTER(BOTH, CELL, preempted) \
	COUNTER(SYSCALL, CELL, cpu_ns) \
	DERIVED(cpu_mean_ns) \
	COUNTER(BOTH, CELL, estimated) \
	COUNTER(BOTH, NO_CELL, estimated_waits) \
	COUNTER(BOTH, NO_PROBE, error_of_total_ns) \
	COUNTER(FILE, NO_CELL, last_byte_known) \
	COUNTER(FILE, NO_CELL, newlines) \
	COUNTER(FILE, NO_CELL, positioned) \
	COUNTER(FILE, NO_CELL, sequential) \
	COUNTER(FILE, NO_CELL, measured) \
	COUNTER(FILE, NO_CELL, cut_short) \
	COUNTER(FILE, NO_CELL, runs) \
	COUNTER(FILE, NO_CELL, passed_on) \
	COUNTER(FILE, NO_CELL, anew) \
	COUNTER(FILE, NO_CELL, error_ns) \
	COUNTER(FILE, NO_CELL, nagle_delays) \
	COUNTER(FILE, NO_CELL, nagle_ns)

/*
 * HISTOGRAM(scope, cell, name, buckets, octave): 2^octave buckets of a syscall are one of a file.
 */
#define HISTOGRAMS(HISTOGRAM) \
	HISTOGRAM(BOTH, CELL, latency, LATENCY_BUCKETS, LATENCY_SUB_LOG2) \
	HISTOGRAM(SYSCALL, NO_CELL, wait_latency, LATENCY_BUCKETS, 0) \
	HISTOGRAM(BOTH, CELL, sizes, SIZE_BUCKETS, 0)
/* clang-format on */

/*
 * A group's figures (--by) are the counters of a syscall, and the histograms of BOTH as a file has
 * them.
 *
 * These select rows by scope and cell.
 */
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
#define SYSCALL_COUNTER(scope, cell, name)		   IN_SYSCALL_##scope(u64 name;)
#define SYSCALL_HISTOGRAM(scope, cell, name, buckets, ...) IN_SYSCALL_##scope(u64 name[buckets];)
/* clang-format off */
#define SYSCALL_FIGURES FIGURES(SYSCALL_COUNTER, NO_FIGURE) HISTOGRAMS(SYSCALL_HISTOGRAM)
/* clang-format on */

#define FILE_COUNTER(scope, cell, name) IN_FILE_##scope(u64 name;)
#define FILE_BUCKETS(buckets, octave)	((((buckets)-1) >> (octave)) + 1)
#define FILE_HISTOGRAM(scope, cell, name, buckets, octave) \
	IN_FILE_##scope(u64 name[FILE_BUCKETS(buckets, octave)];)
#define FILE_FIGURES FIGURES(FILE_COUNTER, NO_FIGURE) HISTOGRAMS(FILE_HISTOGRAM)

#define FILE_CELL_COUNTER(scope, cell, name) IN_FILE_##scope(IN_FILE_CELL_##cell(u64 name;))
/* clang-format off */
#define FILE_CELL_FIGURES FIGURES(FILE_CELL_COUNTER, NO_FIGURE) HISTOGRAMS(FILE_HISTOGRAM)
/* clang-format on */

/* clang-format off */
#define GROUP_FIGURES FIGURES(SYSCALL_COUNTER, NO_FIGURE) HISTOGRAMS(FILE_HISTOGRAM)
#define GROUP_HISTOGRAMS HISTOGRAMS(FILE_HISTOGRAM)
/* clang-format on */

#define CELL_COUNTER(scope, cell, name)			IN_CELL_##cell(u64 name;)
#define CELL_COUNTERS					FIGURES(CELL_COUNTER, NO_FIGURE)
#define CELL_HISTOGRAM(scope, cell, name, buckets, ...) IN_CELL_##cell(u64 name[buckets];)
#define CELL_HISTOGRAMS					HISTOGRAMS(CELL_HISTOGRAM)
/* Their number of words, and that of those in the cells of groups. */
#define CELL_COUNTER_WORD(scope, cell, name)		      IN_CELL_##cell(+1)
#define CELL_HISTOGRAM_WORDS(scope, cell, name, buckets, ...) IN_CELL_##cell(+(buckets))
#define FILE_HISTOGRAM_WORDS(scope, cell, name, buckets, octave) \
	IN_FILE_##scope(+FILE_BUCKETS(buckets, octave))
/* clang-format off */
#define CELL_FIGURE_WORDS \
	(FIGURES(CELL_COUNTER_WORD, NO_FIGURE) HISTOGRAMS(CELL_HISTOGRAM_WORDS))
#define GROUP_FIGURE_WORDS \
	(FIGURES(CELL_COUNTER_WORD, NO_FIGURE) HISTOGRAMS(FILE_HISTOGRAM_WORDS))
/* clang-format on */
