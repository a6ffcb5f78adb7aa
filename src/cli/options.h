/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of a run as two structs. Nothing changes them after parsing. */
#pragma once

#include "report/report.h"
#include "trace/trace_options.h"

struct options {
	struct trace_options trace;
	struct report_options report;
};

/*
 * Parses argv. Returns 0; or 1 when everything asked for has been done (--help, --usage, -V); or
 * -EINVAL after saying on stderr what is wrong with which word. Call options_free() whatever is
 * returned.
 */
int options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);
