/* SPDX-License-Identifier: GPL-2.0 */
/* Texts of the default report. What can be of any width is broken by fill_lines() later. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "model/compare.h"
#include "model/result.h"
#include "report/render_options.h"

#define STYLE_BOLD "\033[1m"
#define STYLE_BAR  "\033[36m"
#define STYLE_RED  "\033[31m"
#define STYLE_OFF  "\033[0m"

/* Returns the sequence, if the report has colors, or "". */
static inline const char *style(const struct render_options *o, const char *sequence)
{
	return o->color ? sequence : "";
}

/*
 * Prints strace's summary table, for each ABI that has calls, byte for byte as `strace -c -w` lays
 * it out. The columns of o are filled in. 0 or -errno.
 */
int render_summary(FILE *out, const struct profile *p, const struct render_options *o);

/* Prints "one call in 64 was timed, ..." into buf. NULL: every call was timed. */
const char *estimate_note(char *buf, size_t size, const struct profile *p);

/* These print nothing if there is nothing to say. 0 or -ENOMEM. */
int text_of_syscalls(FILE *out, const struct result *r, const struct render_options *o,
		     unsigned sections);
int text_of_account(FILE *out, const struct result *r, const struct render_options *o,
		    unsigned sections);

/*
 * Prints the findings for people, each in a few lines, which fill_lines() is to break. 0 or
 * -ENOMEM.
 */
int render_findings(FILE *out, const struct result *r, const struct render_options *o);

/*
 * Prints the gain of a finding with a prediction: "2 calls instead of 5,000; the run takes ...". To
 * be freed; NULL: no memory.
 */
char *finding_prediction(const struct finding *f);
/*
 * Prints the figures that this rests on. To be freed; NULL: there are none, or there is no memory.
 */
char *finding_basis(const struct finding *f);
#define SITE_ARROW " ← " /* It stands between a function and its caller. */
/*
 * Prints "lines()", in at most so many columns (8 or more) and the parentheses: arguments of types
 * and scopes are left out if need be. Untrusted text is escaped. To be freed; NULL without memory.
 */
char *function_text(const char *name, size_t columns);
/* Prints "main() write.c:24". To be freed; NULL without memory. */
char *frame_text(const struct code_frame *f);
/*
 * Prints "lines() write.c:18 ← main()": the functions of a site, and the line if it is the same in
 * all runs. To be freed; NULL without memory.
 */
char *compared_site_text(const struct compared_site *site);
/*
 * Prints where calls come from, a line each: by the frames of the user's own code, or with whole by
 * all, with their shares of a weight. Returns 0 or -ENOMEM.
 */
int print_sites(FILE *out, const struct stacks *s, const struct site *sites, size_t nr_sites,
		bool whole, enum stack_weight weight);
/*
 * Gives put() the same for the cells of a table, by the frames of own code: "lines() a.c:18, 83 %",
 * "and 2 more sites (5 %)", "estimated from 113 samples, ±10 points". Returns 0 or -ENOMEM.
 */
int site_texts(const struct stacks *s, const struct site *sites, size_t nr_sites,
	       enum stack_weight weight, void (*put)(void *arg, const char *escaped), void *arg);
/* Prints where in the code the calls of each syscall on each file come from. */
int render_sites(FILE *out, const struct result *r, const struct render_options *o,
		 unsigned sections);
/* Prints "4,524 calls/s, 12 errors/s, 1.2 MB/s". NULL: the time that was traced is not known. */
#define RATES_SIZE 128
const char *rates_text(char buf[RATES_SIZE], const struct profile *p);
/* Says whom the report is about, for how long, and how much that was a second. 0 or -ENOMEM. */
int render_traced(FILE *out, const struct result *r, const struct render_options *o,
		  unsigned sections);
/*
 * Says in a few lines which programs make the calls, if there are several and --by does not say
 * more. Returns 0.
 */
int render_programs(FILE *out, const struct result *r, const struct render_options *o,
		    unsigned sections);
/* Says how many samples of stacks are missing, if any are. */
void print_missing_samples(FILE *out, const struct stacks *s);
/* Prints "12.3 % of the run". False: the share is not known, or too small to tell. */
bool finding_share(char *buf, size_t size, const struct finding *f, const struct profile *p);
/* Prints " and 96 more", or "" of a single file. */
char *finding_more_files(char *buf, size_t size, const struct finding *f);

/* Counts the wanted findings with this id that are not shown. */
size_t findings_left_out(const struct findings *f, bool asked, const char *id);
