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

struct renderer {
	const char *name;	   /* Name for --format. */
	const char *extensions[3]; /* Extensions of -o FILE, without the dot. NULL: none. */
	unsigned sections;	   /* Sections that it can print. */
	unsigned default_sections; /* Sections that it prints unless told otherwise. */
	bool one_section;	   /* It can print only one section at a time. */
	bool intervals;		   /* Lines of render_interval() may stand before it. */
	bool as_strace;		   /* It has strace's columns, whatever was measured. */
	bool writes_captures;	   /* json_capture.h reads its files. */
	enum audience audience;	   /* Readers of its document. */
	bool terminal; /* Its document is that for a terminal, with texts in place of tables. */
	int (*draw)(FILE *out, const struct sheet *s); /* Draws a table. 0 or -ENOMEM. */
	const char *head, *tail; /* Texts around the document. NULL: nothing. */
	/*
	 * Writes a result that is more than the document of it. NULL: the document is all. Returns
	 * 0 or -errno; the caller checks the stream for errors.
	 */
	int (*render)(FILE *out, const struct result *r, const struct render_options *o);
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

/* Writes the whole report. Returns 0 or -errno; the caller checks the stream for errors. */
int render_result(FILE *out, const struct renderer *r, const struct result *result,
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

/*
 * Writes one interval: a line with the time of day and the time since the start, strace's summary
 * table, and the files and findings in r's format. 0 or -errno.
 */
int render_interval(FILE *out, const struct renderer *r, const struct result *result,
		    const struct render_options *o, const char *clock, uint64_t elapsed_ns);
