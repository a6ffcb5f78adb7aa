/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sections of a report as tables. Which tables there are is a row each in sheets.c, and for a
 * comparison in comparison_sheets.c.
 */
#pragma once

#include "model/compare.h"
#include "model/result.h"
#include "report/render_options.h"
#include "report/sheet.h"

/*
 * Adds the tables of these sections. For people these are only those that have rows. 0 or -ENOMEM;
 * document_free() it in either case.
 */
int document_of_result(struct document *d, const struct result *r, const struct render_options *o,
		       unsigned sections, enum audience audience);

/*
 * Makes the tables of these sections of a comparison (enum comparison_section). 0 or -ENOMEM;
 * document_free() it in either case.
 */
int document_of_comparison(struct document *d, const struct comparison *c, unsigned sections,
			   enum audience audience);

/*
 * Adds the parts of the default report of these sections: strace's table, the files and their
 * findings, the syscalls that matter, and whether every call is accounted for. A part of it is a
 * row in terminal_document.c. 0 or -ENOMEM; document_free() it in either case.
 */
int document_for_terminal(struct document *d, const struct result *r,
			  const struct render_options *o, unsigned sections);

/* The source of the tables of one report. */
struct sheet_source {
	const struct result *result;
	const struct profile *profile; /* The result's. */
	const struct render_options *options;
	enum audience audience;
	const struct syscall_stats *const *rows; /* Those of all ABIs, or of one. */
	size_t nr_rows;
	const struct finding *finding; /* The subject of a table that each finding has. */
};

/* Makes the table of groups (--by): for people a row each, for programs one for each syscall. */
void sheet_groups(struct sheet *s, const struct sheet_source *source);
void sheet_group_calls(struct sheet *s, const struct sheet_source *source);
/*
 * Makes the table of files for people: those that took most time, or those that findings are about.
 */
void sheet_files(struct sheet *s, const struct sheet_source *source);
/* Makes the table of files for programs: a row for each syscall on each file. */
void sheet_file_calls(struct sheet *s, const struct sheet_source *source);
/*
 * Makes the table of findings: for people one finding, as names and values; for programs a row for
 * each.
 */
void sheet_finding(struct sheet *s, const struct sheet_source *source);
void sheet_findings(struct sheet *s, const struct sheet_source *source);
/*
 * Makes the table of sites: for people those with most calls, for programs all.
 */
void sheet_sites(struct sheet *s, const struct sheet_source *source);
void sheet_site_calls(struct sheet *s, const struct sheet_source *source);
/* Makes the table of the run over time for people. */
void sheet_intervals(struct sheet *s, const struct sheet_source *source);
/*
 * Makes the table of one section for programs, with the rows of each interval of a result, whose
 * ends are its first column. 0 or -ENOMEM.
 */
int document_of_intervals(struct document *d, const struct result *r,
			  const struct render_options *o, unsigned section);
/* Counts the findings that are not shown, by their ids. */
void sheet_more_findings(struct sheet *s, const struct sheet_source *source);

/* Is a figure, for which each side has a cell, known and more than 0 on any side? */
bool comparison_has_value(const struct comparison *c, const struct compared *sides);
