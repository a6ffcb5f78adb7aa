/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of iotrace compare, and what runs the commands in it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/window_args.h"
#include "model/compare.h"
#include "report/json_comparison.h"
#include "report/report.h"
#include "trace/trace_options.h"

/* A side as it is given. */
struct compare_input {
	const char *text;
	char **command; /* Its words. NULL: the side is a capture. */
};

struct compare_options {
	/* The command in it is the first of the sides'. NULL: all sides are captures. */
	struct trace_options trace;
	struct report_options report;
	uint64_t runs, warmup; /* Numbers of runs of each command. */
	const char *prepare;   /* The command of --prepare. NULL: none. */
	const char *stdout_to; /* The file of --stdout. NULL: the commands inherit iotrace's. */
	bool shell, ignore_failures;
	bool stacks;		      /* Find out where in the code the calls come from. */
	const char *names[MAX_SIDES]; /* The names of -n, in the order of the sides. */
	size_t nr_names;
	struct compare_input inputs[MAX_SIDES];
	size_t nr_inputs;
	struct window window; /* The part of the captures that is compared. */
	char *const *own;     /* The arguments of iotrace itself, argv[0] included. */
	int nr_own;
};

/*
 * Parses argv as options_parse() does; argv[0] is the subcommand's name. Call compare_args_free()
 * whatever is returned.
 */
int compare_args_parse(struct compare_options *o, int argc, char **argv);
void compare_args_free(struct compare_options *o);

/* ---- compare_runs.c ---- */

/*
 * Runs the commands in turns, and adds their runs to their sides: side_of[i] is that of
 * o->inputs[i]. Returns 0, or an exit status after a message; the rounds that were whole by then
 * are kept. If a signal has ended it, *signal is set.
 */
int compare_run_all(const struct compare_options *o, const size_t *side_of,
		    struct compared_captures *captures, int *signal);
