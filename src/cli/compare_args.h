/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of iotrace compare, and what runs the commands in it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/compare.h"
#include "report/json_comparison.h"
#include "report/report.h"
#include "trace/trace_options.h"

/* A side as given. */
struct compare_input {
	const char *text;
	char **command; /* its words; NULL: it is a capture */
};

struct compare_options {
	struct trace_options trace; /* its command is the first of them; NULL: all are captures */
	struct report_options report;
	uint64_t runs, warmup; /* of each command */
	const char *prepare;   /* NULL: nothing */
	const char *stdout_to; /* a file; NULL: ours */
	bool shell, ignore_failures;
	const char *names[MAX_SIDES]; /* -n, in the order of the sides */
	size_t nr_names;
	struct compare_input inputs[MAX_SIDES];
	size_t nr_inputs;
	char *const *own; /* iotrace's own arguments, argv[0] included */
	int nr_own;
};

/*
 * As options_parse(); argv[0] is the subcommand's name. compare_args_free() whatever is returned.
 */
int compare_args_parse(struct compare_options *o, int argc, char **argv);
void compare_args_free(struct compare_options *o);

/* ---- compare_runs.c ---- */

/*
 * Runs the commands in turns, and adds their runs to their sides: side_of[i] is that of
 * o->inputs[i]. After a message returns an exit status; what was measured until then, whole rounds,
 * is there all the same. If a signal has ended it, *signal is set.
 */
int compare_run_all(const struct compare_options *o, const size_t *side_of,
		    struct compared_captures *captures, int *signal);
