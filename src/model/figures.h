/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of each figure: tables, JSON, CSV, captures, sorting and budgets read it here.
 * bpf/figures.h lists the figures, and says where the probes count them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/iotrace.h"
#include "model/histogram.h"

struct syscall_stats;

/* The figures of a syscall in the order of JSON's members, then those that only files have. */
enum figure_id {
#define COUNTER_ID(scope, cell, name) FIGURE_##name,
#define DERIVED_ID(name)	      FIGURE_##name,
	FIGURES(COUNTER_ID, DERIVED_ID) NR_FIGURES,
#undef COUNTER_ID
#undef DERIVED_ID
	FIGURE_succeeded, /* calls - errors, as the whole that others are a part of. */
	FIGURE_none,
};

#define SYSCALL_COUNTER_ONE(scope, ...) IN_SYSCALL_##scope(+1)
#define DERIVED_ONE(...)		+1
#define NR_SYSCALL_FIGURES		((int)(FIGURES(SYSCALL_COUNTER_ONE, DERIVED_ONE)))

enum histogram_id {
#define HISTOGRAM_ID(scope, cell, name, ...) HISTOGRAM_##name,
	HISTOGRAMS(HISTOGRAM_ID) NR_HISTOGRAMS,
#undef HISTOGRAM_ID
	HISTOGRAM_none,
};

/* Bits: a figure belongs to syscalls, to files, to groups (--by), or to all of them. */
enum figure_scope {
	SCOPE_SYSCALL = 1 << 0,
	SCOPE_FILE = 1 << 1,
	SCOPE_GROUP = 1 << 2,
	SCOPE_BOTH = SCOPE_SYSCALL | SCOPE_FILE | SCOPE_GROUP,
};

enum figure_unit { UNIT_COUNT, UNIT_NS, UNIT_BYTES };

/*
 * How two values of a counter become one; ROOT is the root of the sum of squares. COMBINE_NOT: the
 * figure is derived from the counters and histograms.
 */
enum figure_combine { COMBINE_NOT, COMBINE_SUM, COMBINE_MIN, COMBINE_MAX, COMBINE_ROOT };

/* What it means that a capture lacks a figure. */
enum figure_absent {
	ABSENT_REQUIRED,  /* The capture is damaged. */
	ABSENT_ZERO,	  /* The figure is 0. */
	ABSENT_UNKNOWN,	  /* What it needs is not known, except for the latency. */
	ABSENT_SUCCEEDED, /* It is the most that there can be: the calls without an error. */
};

struct figure {
	const char *key;     /* The name in JSON, CSV and --fail-if; it tells the unit. */
	const char *heading; /* The name for people. */
	enum figure_scope scope;
	enum figure_unit unit;
	enum figure_combine combine;
	enum figure_id part_of; /* The counter that it never exceeds, or FIGURE_succeeded. */
	unsigned needs;		/* What must be known: enum profile_unknown. */
	enum figure_absent absent;
	/* Those of a counter in the structs of its scope. */
	size_t syscall_offset, file_offset, group_offset;
	/* A derived figure is a percentile of this share, or what the function returns. */
	double share;
	uint64_t (*get)(enum figure_scope scope, const void *stats);
};

struct figure_histogram {
	const char *key; /* The name in JSON. */
	enum figure_scope scope;
	enum figure_unit unit;
	unsigned octave; /* 2^octave buckets of a syscall are one of a file or group. */
	/* The counter that its counts add up to, if exact; otherwise, and for files, at most. */
	enum figure_id count_of;
	bool exact;
	enum histogram_id part_of; /* The histogram whose buckets its own are parts of. */
	unsigned needs;		   /* What must be known: enum profile_unknown. */
	enum figure_absent absent;
	size_t syscall_offset, file_offset, group_offset; /* Those in the structs of its scope. */
	const struct histogram_scale *syscall_scale, *file_scale; /* file_scale: groups', too. */
};

extern const struct figure figures[NR_FIGURES];
extern const struct figure_histogram figure_histograms[NR_HISTOGRAMS];

/* The latency figures in the order of the reports, shortest first. */
#define NR_LATENCY_FIGURES 7
extern const enum figure_id latency_figures[NR_LATENCY_FIGURES];

/* The figures that are compared, of each syscall and of all of them together. */
enum compared_figure {
	COMPARED_CALLS,
	COMPARED_BYTES,
	COMPARED_ERRORS,
	COMPARED_TIME,
	COMPARED_P50,
	COMPARED_P99,
	NR_COMPARED,
};
extern const enum figure_id compared_figures[NR_COMPARED];

/*
 * In what follows, stats is the struct of the scope, which is SCOPE_SYSCALL (struct
 * syscall_stats), SCOPE_FILE (struct file_call) or SCOPE_GROUP (struct group_call).
 */

/* Has the scope this figure, as a counter? All counters of syscalls are groups', too. */
bool figure_is_counter(const struct figure *f, enum figure_scope scope);
/* Returns the place of a counter of that scope. */
uint64_t *figure_counter(const struct figure *f, enum figure_scope scope, void *stats);
/* Return the buckets of a histogram of that scope, and their scale. */
uint64_t *figure_counts(const struct figure_histogram *h, enum figure_scope scope, void *stats);
const struct histogram_scale *figure_scale(const struct figure_histogram *h,
					   enum figure_scope scope);
/*
 * Returns the counter that another is a part of, in that scope: FIGURE_none, FIGURE_succeeded, or
 * its id.
 */
enum figure_id figure_whole(enum figure_id part_of, enum figure_scope scope);
/* Returns the value of that counter. */
uint64_t figure_whole_value(enum figure_id whole, enum figure_scope scope, const void *stats);

/* Adds the counters and histograms of src to dst's. */
void figures_add(enum figure_scope scope, void *dst, const void *src);
/* Subtracts the sums and histograms of part; minima and maxima stay. */
void figures_subtract(enum figure_scope scope, void *whole, const void *part);

/*
 * Takes from sums what exceeds the sum that they are a part of: figures that were read while calls
 * went on may be a call apart.
 */
void figures_fit(enum figure_scope scope, void *stats);

uint64_t figure_value(enum figure_id id, const struct syscall_stats *s);
/* The same of a syscall's figure in a scope that is not of files. */
uint64_t figure_value_in(enum figure_scope scope, enum figure_id id, const void *stats);

/* Is the figure known for this syscall, in a profile with these unknown (enum profile_unknown)? */
bool figure_known(enum figure_id id, const struct syscall_stats *s, unsigned unknown);

/* Is anything known that needs this (enum profile_unknown)? */
bool figures_known(unsigned needs, const struct syscall_stats *s, unsigned unknown);
/*
 * The same for a syscall, or a call on a file, that transfers bytes or not, and has times or not.
 */
bool figures_known_if(unsigned needs, bool transfers, bool timed, unsigned unknown);

/*
 * Are more than 1 % of its timed calls known to have slept, and more than 1 % not to? Then each
 * of the two kinds has its own latency.
 */
bool figures_split(const struct syscall_stats *s, unsigned unknown);
