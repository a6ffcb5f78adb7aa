/* SPDX-License-Identifier: GPL-2.0 */
/* The reports of one run, or of a comparison: each has a place to go to and a format. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/budget.h"
#include "model/compare.h"
#include "report/render.h"

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct report_place {
	const char *path; /* Argument of -o. NULL: stderr. */
	const struct renderer *renderer;
	bool capture; /* It is a capture by its name, and has all sections. */
};

/* A place for a picture. */
struct plot_place {
	const char *path;
	const char *extension; /* One of gnuplot_extensions. */
};

/* The options of the "What is reported" group. */
struct report_options {
	bool compare;		     /* They are about a comparison. This is set before parsing. */
	struct report_place *places; /* Places of the reports, at least one. */
	size_t nr_places;
	const struct renderer *format; /* Argument of --format. NULL: not given. */
	struct render_options render;  /* Its color is settled for each report, by its stream. */
	enum color_choice color;
	char *histogram_text;	  /* Text that render.histogram_names points into. */
	struct plot_place *plots; /* Arguments of --plot. */
	size_t nr_plots;
	struct budget *budgets; /* Arguments of --fail-if for a run. */
	size_t nr_budgets;
	struct budget *ratios; /* Arguments of --fail-if for a comparison. */
	size_t nr_ratios;
};

struct reports;

/*
 * Opens all places, and checks that there is gnuplot for pictures. Call it before the run starts,
 * so that a run is not lost because its report cannot be written. The options must outlive the
 * reports. intervals: reports__interval() will be called. Returns 0, or -errno after a message;
 * call reports__close() in either case.
 */
int reports__open(struct reports **reports, const struct report_options *o, bool intervals);

/*
 * Writes an interval to the reports whose format has a line for each, or to stderr if no report
 * does, nor goes there itself; and keeps it for the reports and pictures that show the run over
 * time. An interval that cannot be written is told once, and makes reports__write() fail. -EPIPE:
 * nobody is left to read any report. Returns 0 or -errno.
 */
int reports__interval(struct reports *r, const struct profile *p, const char *clock,
		      uint64_t elapsed_ns);

/*
 * Writes all reports of a result, which has intervals of its own or gets those of
 * reports__interval(): those to files first, even if one fails; a signal ends the
 * program with a message of what was written (base/interruption.h). Then checks the budgets, with a
 * message for each that is broken (*broken is then set). 0, or -errno after a message for each
 * report that failed, and each budget that is about something that was not measured.
 */
int reports__write(struct reports *r, const struct result *result, bool *broken);

/* Writes the reports of a comparison in the same way. */
int reports__compare(struct reports *r, const struct comparison *c, bool *broken);

/* Closes all places. Accepts NULL. */
void reports__close(struct reports *r);

/* Is one of the reports about stacks alone? */
bool reports_folded_stacks(const struct report_options *o);

/* Do all reports go to files? */
bool reports_to_files(const struct report_options *o);
