/* SPDX-License-Identifier: GPL-2.0 */
/* The reports of one run: each has a place to go to and a format. */
#ifndef IOTRACE_REPORT_H
#define IOTRACE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output.h"
#include "profile.h"
#include "render.h"

#ifdef __cplusplus
extern "C" {
#endif

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct report {
	const char *path; /* of -o, as given; NULL: stderr */
	const struct renderer *renderer;
	struct output *output;
};

/* What the options of the "What is reported" group say. */
struct report_options {
	struct report *reports; /* at least one */
	size_t nr_reports;
	const struct renderer *format; /* --format; NULL: not given */
	struct render_options render;  /* its color is settled for each report, by its stream */
	enum color_choice color;
	char *histogram_text; /* what render.histogram_names points into */
};

/*
 * Opens all of them, before anything is started, so that a run is not lost for want of a place to report it to.
 * intervals: reports_interval() will be called. 0 or -errno after a message.
 */
int reports_open(struct report_options *o, bool intervals);

/* Writes an interval's figures to those whose format has that; to stderr if there are none. 0 or -errno. */
int reports_interval(struct report_options *o, const struct profile *p, const char *clock,
		     uint64_t elapsed_ns);

/* Writes all of them, even if one fails. 0, or -errno after a message for each that failed. */
int reports_write(struct report_options *o, const struct profile *p);

/* Does none of them go to stderr? */
bool reports_to_files(const struct report_options *o);

void reports_close(struct report_options *o);

#ifdef __cplusplus
}
#endif
#endif
