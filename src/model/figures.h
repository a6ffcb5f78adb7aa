/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of a syscall: a row each, which tables, JSON, CSV, captures and sorting read. A new figure is one row in
 * figures.c.
 */
#ifndef IOTRACE_FIGURES_H
#define IOTRACE_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile.h"

/* In the order of JSON's members. */
enum figure_id {
	FIGURE_CALLS,
	FIGURE_ERRORS,
	FIGURE_BYTES,
	FIGURE_TIMED,
	FIGURE_TOTAL,
	FIGURE_MIN,
	FIGURE_MAX,
	FIGURE_MEAN,
	FIGURE_P50,
	FIGURE_P90,
	FIGURE_P99,
	FIGURE_P999,
	FIGURE_WAITS,
	FIGURE_WAIT_TIME,
	FIGURE_RUN_TIME,
	FIGURE_PREEMPTED,
	FIGURE_CPU_TIME,
	FIGURE_CPU_MEAN,
	NR_FIGURES,
};

enum figure_unit { UNIT_COUNT, UNIT_NS, UNIT_BYTES };

struct figure {
	const char *key;     /* in JSON and CSV; names the unit */
	const char *heading; /* for people */
	enum figure_unit unit;
	unsigned needs; /* enum profile_unknown: what must be known */
	bool derived;	/* it follows from the others and the histograms */
	/* Either the share of a percentile, or a function that returns the figure. */
	double share;
	uint64_t (*get)(const struct syscall_stats *s);
};

extern const struct figure figures[NR_FIGURES];

/* The latency figures in the order of the reports, shortest first. */
#define NR_LATENCY_FIGURES 7
extern const enum figure_id latency_figures[NR_LATENCY_FIGURES];

uint64_t figure_value(enum figure_id id, const struct syscall_stats *s);

/* Is the figure known for this syscall, in a profile with these unknown (enum profile_unknown)? */
bool figure_known(enum figure_id id, const struct syscall_stats *s, unsigned unknown);

/* Are more than 1 % of its timed calls known to have slept, and more than 1 % not to? Then each half has its own latency. */
bool figures_split(const struct syscall_stats *s, unsigned unknown);

/* The same for all figures that need this. */
bool figures_known(unsigned needs, const struct syscall_stats *s, unsigned unknown);
#endif
