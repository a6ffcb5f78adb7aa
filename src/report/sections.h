/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sections of a report, and those of a comparison, for --section. All formats have the same
 * ones; each is a row in sections.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bits of a set of sections, in the order in which every format prints them. */
enum section {
	SECTION_RUN = 1 << 0,	     /* What was run, when, and on what machine. */
	SECTION_SUMMARY = 1 << 1,    /* A row for each syscall. */
	SECTION_GROUPS = 1 << 2,     /* A row for each group of --by. */
	SECTION_LATENCY = 1 << 3,    /* Percentiles and histogram of each syscall's latency. */
	SECTION_SIZES = 1 << 4,	     /* Bytes of each syscall's calls. */
	SECTION_ERRORS = 1 << 5,     /* Errnos of each syscall. */
	SECTION_FILES = 1 << 6,	     /* A row for each file. */
	SECTION_FINDINGS = 1 << 7,   /* The diagnosis. */
	SECTION_STACKS = 1 << 8,     /* Where in the code calls come from. */
	SECTION_INTEGRITY = 1 << 9,  /* Whether every call is accounted for. */
	SECTION_INFLIGHT = 1 << 10,  /* Calls that had not returned. */
	SECTION_INTERVALS = 1 << 11, /* The run over time (--interval). */

	SECTION_ALL = (1 << 12) - 1,
};

/* Bits of a set of sections of a comparison. */
enum comparison_section {
	COMPARISON_SIDES = 1 << 0,   /* What is compared, and what else differs. */
	COMPARISON_SUMMARY = 1 << 1, /* A row for each side. */
	COMPARISON_CALLS = 1 << 2,   /* A row for each syscall of each side. */
	COMPARISON_GROUPS = 1 << 3,  /* Who makes the calls (--by). */
	COMPARISON_STACKS = 1 << 4,  /* Where in the code the calls that changed come from. */
	COMPARISON_FIGURES = 1 << 5, /* Spread and difference of each figure. */

	COMPARISON_ALL = (1 << 6) - 1,
};

struct section_name {
	const char *name; /* "all" is the last. NULL after it. */
	unsigned sections;
};

extern const struct section_name report_sections[], comparison_sections[];

/*
 * Reads the argument of --section: names, comma-separated, or "all". 0 or -EINVAL with a one-line
 * reason in err, which is not escaped; then *sections is untouched.
 */
int sections_parse(unsigned *sections, const struct section_name *names, const char *arg, char *err,
		   size_t err_size);

/* Prints the names of a set: "summary, latency". Returns buf; 128 bytes hold all of them. */
const char *sections_names(char *buf, size_t size, const struct section_name *names,
			   unsigned sections);
