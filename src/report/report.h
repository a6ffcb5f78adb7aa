/* SPDX-License-Identifier: GPL-2.0 */
/* The reports of one run: each has a place to go to and a format. */
#ifndef IOTRACE_REPORT_H
#define IOTRACE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/render.h"

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct report_place {
	const char *path; /* of -o, as given; NULL: stderr */
	const struct renderer *renderer;
};

/* What the options of the "What is reported" group say. */
struct report_options {
	struct report_place *places; /* at least one */
	size_t nr_places;
	const struct renderer *format; /* --format; NULL: not given */
	struct render_options render;  /* its color is settled for each report, by its stream */
	enum color_choice color;
	char *histogram_text; /* what render.histogram_names points into */
};

struct reports;

/*
 * Opens all places, before anything is started, so that a run is not lost for want of a place to report it to. The
 * options must stay. intervals: reports__interval() will be called. 0, or -errno after a message; reports__close()
 * either way.
 */
int reports__open(struct reports **reports, const struct report_options *o, bool intervals);

/* Writes an interval's figures to those whose format has that; to stderr if there are none. 0 or -errno. */
int reports__interval(struct reports *r, const struct profile *p, const char *clock,
		      uint64_t elapsed_ns);

/* Writes all of them, even if one fails. 0, or -errno after a message for each that failed. */
int reports__write(struct reports *r, const struct result *result);

/* NULL is fine. */
void reports__close(struct reports *r);

/* Does none of them go to stderr? */
bool reports_to_files(const struct report_options *o);

#endif
