/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Renderers turn a result into text: one file a format, one row in renderers[]. Same result and options,
 * same bytes: no clock, no terminal, no environment in here. Only renderers write to the report's stream.
 */
#ifndef IOTRACE_RENDER_H
#define IOTRACE_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "model/result.h"
#include "report/columns.h"
#include "report/sections.h"

enum histogram_choice {
	HISTOGRAM_ALL, /* every syscall with calls */
	HISTOGRAM_NONE,
	HISTOGRAM_LISTED, /* those in histogram_names */
};

struct render_options {
	enum column_id columns[NR_COLUMNS]; /* of the table, left to right */
	size_t nr_columns;		    /* 0: those of column_default_list() */
	enum column_id sort;		    /* COLUMN_NONE: not sorted */
	enum histogram_choice histogram;
	char **histogram_names; /* NULL-terminated, with HISTOGRAM_LISTED */
	unsigned sections;	/* --section, enum section; 0: the format's own choice */
	bool files;		/* -y: the table of files, whether or not there is a finding */
	size_t top_files;	/* how many of them; 0: all */
	uint64_t buffer_size;	/* of what findings predict; 0: the languages' own */
	bool color;
	bool quiet; /* no notes */
};

enum audience {
	FOR_PEOPLE,   /* figures scaled, tables as an article would show them */
	FOR_PROGRAMS, /* plain numbers in base units, every known figure */
};

struct sheet;
/* Draws a table. titled: there are other tables, so print its title. Returns 0 or -ENOMEM. */
typedef int (*sheet_draw_fn)(FILE *out, const struct sheet *s, bool titled);

struct renderer {
	const char *name;	   /* --format=NAME */
	const char *extensions[3]; /* of -o FILE, without the dot; NULL: none */
	unsigned sections;	   /* those it can print */
	unsigned default_sections; /* those it prints unless told otherwise */
	bool one_section;	   /* it can print only one at a time */
	bool intervals;		   /* render_interval()'s lines may stand before it */
	/* Either: how to draw a table, for formats that draw every table alike. */
	enum audience audience;
	sheet_draw_fn draw;
	/* Or: writes the whole report. Returns 0 or -errno; the caller checks the stream for errors. */
	int (*render)(FILE *out, const struct result *r, const struct render_options *o);
};

extern const struct renderer *const renderers[]; /* NULL-terminated; the first is the default */
extern const struct renderer render_table;	 /* strace's table, then histograms and notes */
extern const struct renderer render_strace;	 /* strace's table alone */
extern const struct renderer render_json;	 /* everything, to be read back by capture.h */
extern const struct renderer render_csv, render_tsv;
extern const struct renderer render_markdown; /* GitHub's tables */
extern const struct renderer render_latex;    /* booktabs */
extern const struct renderer render_asciidoc;

/* Writes the whole report. Returns 0 or -errno; the caller checks the stream for errors. */
int render_result(FILE *out, const struct renderer *r, const struct result *result,
		  const struct render_options *o);

/* The same options with the columns filled in, of this profile (NULL: strace's alone) if none were named. */
struct render_options render_with_columns(const struct render_options *o, const struct profile *p);

/* The sections that a renderer should print. */
unsigned render_sections(const struct renderer *r, const struct render_options *o);

/* "64", "32", "x32": as after the @ of -e. */
const char *abi_name(enum iotrace_abi abi);

/* Does --histogram select this syscall? */
bool render_histogram_wanted(const struct render_options *o, const struct syscall_stats *s);

/* "write", "write@32": as -e takes it, escaped. Returns buf, of CELL_SIZE bytes. */
const char *render_name(char *buf, const char *name, enum iotrace_abi abi);

/* The rows of an ABI that have calls, in the order of -S. rows has room for p->nr_syscalls. 0 or -ENOMEM. */
int render_rows(const struct syscall_stats **rows, size_t *nr_rows, const struct profile *p,
		enum iotrace_abi abi, enum column_id sort);

/* Used with render_options.color. */
#define STYLE_BOLD "\033[1m"
#define STYLE_BAR  "\033[36m"
#define STYLE_RED  "\033[31m"
#define STYLE_OFF  "\033[0m"

/*
 * strace's summary table, for each ABI that has calls, byte for byte as `strace -c -w` lays it out; o's columns are
 * filled in. 0 or -errno.
 */
int render_summary(FILE *out, const struct profile *p, const struct render_options *o);

/*
 * What happened in one interval: a line with the time of day and the time since the start, strace's summary table, and
 * what else there is in r's format of files and findings. 0 or -errno.
 */
int render_interval(FILE *out, const struct renderer *r, const struct result *result,
		    const struct render_options *o, const char *clock, uint64_t elapsed_ns);
#endif
