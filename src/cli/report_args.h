/* SPDX-License-Identifier: GPL-2.0 */
/* The options about reports, which runs, captures and comparisons share. */
#pragma once

#include <argp.h>

#include "report/report.h"
#include "trace/trace_options.h"

/*
 * Child parsers, whose input is a struct report_options after report_args_init(). The first has the
 * options of a run's report, the second those of them that are about any report.
 */
extern const struct argp report_args_argp, report_places_argp;

/* Parses --by into r->by and r->top_groups. Returns 0, or EINVAL after a message. */
error_t report_args_by(struct render_options *r, const char *arg);

/* Is the section of the intervals asked for by its name? */
bool report_args_ask_intervals(const struct render_options *r);

/*
 * Says so, and returns true, if groups are asked for, by --by or as the only section, and the
 * profile of the capture at that path has none of these.
 */
bool report_args_lack_groups(const struct render_options *r, bool only_groups,
			     const struct profile *p, const char *path);

void report_args_init(struct report_options *o);

/*
 * Call after parsing: gives each place its format, and checks that budgets are about what a run of
 * these options measures, unless trace is NULL. Without -o the report goes to path (NULL: stderr).
 * Returns 0, or EINVAL or ENOMEM after a message.
 */
error_t report_args_finish(struct report_options *o, const struct trace_options *trace,
			   const char *path);

void report_args_free(struct report_options *o);
