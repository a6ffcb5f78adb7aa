/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of a result that a report shows, and their form. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/sites.h"
#include "report/columns.h"
#include "report/sections.h"
#include "report/sheet.h"

enum histogram_choice {
	HISTOGRAM_SOME, /* For programs all of them; for people those of calls that matter. */
	HISTOGRAM_ALL,	/* Those of every syscall with calls. */
	HISTOGRAM_NONE,
	HISTOGRAM_LISTED, /* Those in histogram_names. */
};

struct render_options {
	enum column_id columns[NR_COLUMNS]; /* Columns of the table, left to right. */
	size_t nr_columns;		    /* 0: those of column_default_list(). */
	/* Column to sort by. COLUMN_NONE: not sorted. COLUMN_BY_DEFAULT: render_sort() says it. */
	enum column_id sort;
	bool wall; /* The table has strace's times, waiting included, for -w. */
	enum histogram_choice histogram;
	char **histogram_names; /* Names of HISTOGRAM_LISTED. NULL after the last. */
	unsigned sections;	/* Bits of enum section. 0: the format's own choice. */
	bool files;		/* The table of files is shown even without a finding, for -y. */
	size_t top_files;	/* The most files in it. 0: all. */
	unsigned by[MAX_GROUP_KEYS]; /* The keys of --by, BY_..., 0 after the last. */
	size_t top_groups;	  /* The most groups in their table, and in each of them. 0: all. */
	uint64_t buffer_size;	  /* Bytes of an assumed buffer. 0: the languages' own. */
	bool stacks;		  /* The table of sites is shown, for --stacks. */
	bool whole_stacks;	  /* Stacks have the frames of libraries, too. */
	enum stack_weight weight; /* What the numbers of folded stacks are. */
	bool color;
	bool quiet; /* There are no notes. */
};

/*
 * Returns the options with the columns filled in: if none were named, those of this profile (NULL:
 * strace's alone).
 */
struct render_options render_with_columns(const struct render_options *o, const struct profile *p);

/*
 * Returns the column to sort by: without -S, busy time, or all of it if wall says so or nothing
 * else is known.
 */
enum column_id render_sort(const struct render_options *o, const struct profile *p);

/* Does --histogram select this syscall of the profile, for such a reader? */
bool render_histogram_wanted(const struct render_options *o, const struct profile *p,
			     const struct syscall_stats *s, enum audience audience);

/* Prints "write" or "write@32", as -e takes it, escaped. Returns buf, of CELL_SIZE bytes. */
const char *render_name(char *buf, const char *name, enum iotrace_abi abi);

/* Syscalls that have calls, ABI by ABI, each ABI's in the order of render_sort(). */
struct render_rows {
	const struct syscall_stats **list; /* List of the rows, to be freed. */
	size_t nr, nr_of[NR_ABIS];
};

/* Returns 0 or -ENOMEM, and there is a list to free in either case. */
int render_rows(struct render_rows *rows, const struct profile *p, const struct render_options *o);

/* Was the table of files asked for? Otherwise it shows only the files of findings. */
bool files_asked(const struct render_options *o);
/* Do people ask for minor findings, too? They do with -y, or the section. */
bool findings_asked(const struct render_options *o);
