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
	SECTION_RUN = 1 << 0,	    /* what was run, when, and on what machine */
	SECTION_SUMMARY = 1 << 1,   /* a row for each syscall */
	SECTION_LATENCY = 1 << 2,   /* its percentiles and histogram */
	SECTION_SIZES = 1 << 3,	    /* bytes to a call */
	SECTION_ERRORS = 1 << 4,    /* errnos */
	SECTION_FILES = 1 << 5,	    /* a row for each file */
	SECTION_FINDINGS = 1 << 6,  /* the diagnosis */
	SECTION_INTEGRITY = 1 << 7, /* whether every call is accounted for */
	SECTION_INFLIGHT = 1 << 8,  /* the calls that had not returned */

	SECTION_ALL = (1 << 9) - 1,
};

/* Those of a comparison. */
enum comparison_section {
	COMPARISON_SIDES = 1 << 0,   /* what is compared, and what else differs */
	COMPARISON_SUMMARY = 1 << 1, /* a row for each side */
	COMPARISON_CALLS = 1 << 2,   /* a row for each syscall of each side */
	COMPARISON_FIGURES = 1 << 3, /* each figure's spread and difference */

	COMPARISON_ALL = (1 << 4) - 1,
};

struct section_name {
	const char *name; /* NULL after the last, which is "all" */
	unsigned sections;
};

extern const struct section_name report_sections[], comparison_sections[];

/*
 * The argument of --section: names, comma-separated, or "all". 0 or -EINVAL with a one-line reason
 * in err, which is not escaped, *sections then untouched.
 */
int sections_parse(unsigned *sections, const struct section_name *names, const char *arg, char *err,
		   size_t err_size);

/* "summary, latency": the names of a set. Returns buf; 128 bytes hold all of them. */
const char *sections_names(char *buf, size_t size, const struct section_name *names,
			   unsigned sections);
