/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Renderers turn a result, or a document made from several, into text: one file a format, one row
 * in renderers[]. Same input, same bytes: no clock, no terminal, no environment in here. Only
 * renderers write to the report's stream.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "model/compare.h"
#include "model/result.h"
#include "report/render_options.h"
#include "report/sheet.h"

struct interval_report;

enum interval_form {
	INTERVALS_IN_RESULT, /* Nothing: the result has them. */
	INTERVALS_AS_LINES,  /* A line for each, and with -y tables. */
	INTERVALS_AS_TABLES,
	INTERVALS_OF_ITS_OWN, /* What the format's interval() writes. */
};

struct renderer {
	const char *name;	      /* Name for --format. */
	const char *extensions[3];    /* Extensions of -o FILE, without the dot. NULL: none. */
	unsigned sections;	      /* Sections that it can print. */
	unsigned default_sections;    /* Sections that it prints unless told otherwise. */
	bool one_section;	      /* It can print only one section at a time. */
	enum interval_form intervals; /* What stands before the result as intervals end. */
	bool as_strace;		      /* It has strace's columns, whatever was measured. */
	bool writes_captures;	      /* json_capture.h reads its files. */
	enum audience audience;	      /* Readers of its document. */
	bool terminal; /* Its document is that for a terminal, with texts in place of tables. */
	int (*draw)(FILE *out, const struct sheet *s); /* Draws a table. 0 or -ENOMEM. */
	const char *head, *tail; /* Texts around the document. NULL: nothing. */
	/*
	 * Writes a result that is more than the document of it. NULL: the document is all. Returns
	 * 0 or -errno; the caller checks the stream for errors.
	 */
	int (*render)(FILE *out, const struct result *r, const struct render_options *o);
	/* Writes these sections of an interval, INTERVALS_OF_ITS_OWN. As render(). */
	int (*interval)(FILE *out, const struct interval_report *i, unsigned sections);
	/*
	 * Writes a comparison that is more than the document of it. NULL: the document is all, or
	 * there is none without draw(). As render().
	 */
	int (*compare)(FILE *out, const struct comparison *c);
};

/* All of them, NULL after the last. The first is the default. */
extern const struct renderer *const renderers[];
extern const struct renderer render_table;  /* strace's table, then histograms and notes. */
extern const struct renderer render_strace; /* strace's table alone. */
extern const struct renderer render_json;   /* Everything, to be read back. */
extern const struct renderer render_csv, render_tsv;
extern const struct renderer render_markdown; /* Tables of GitHub. */
extern const struct renderer render_latex;    /* Tables of the package booktabs. */
extern const struct renderer render_asciidoc;
extern const struct renderer render_folded; /* Stacks, for flame graphs. */
extern const struct renderer render_jsonl;  /* A line for each interval, and one for the run. */

/* Writes the whole report. Returns 0 or -errno; the caller checks the stream for errors. */
int render_result(FILE *out, const struct renderer *r, const struct result *result,
		  const struct render_options *o);

/* Writes an interval when it ends, in a format that has any form of them. As render_result(). */
int render_interval(FILE *out, const struct renderer *r, const struct interval_report *i,
		    const struct render_options *o);

/* Has the format comparisons? */
bool render_compares(const struct renderer *r);
/*
 * Writes a comparison; of o only its sections (enum comparison_section) matter. Returns 0 or
 * -errno; the caller checks the stream for errors.
 */
int render_comparison(FILE *out, const struct renderer *r, const struct comparison *c,
		      const struct render_options *o);

/* Returns the sections that a renderer should print. */
static inline unsigned render_sections(const struct renderer *r, const struct render_options *o)
{
	unsigned wanted = o->sections ? o->sections : r->default_sections;

	return r->sections & (wanted | (o->stacks && !r->one_section ? SECTION_STACKS : 0));
}
