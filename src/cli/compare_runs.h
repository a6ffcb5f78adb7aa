/* SPDX-License-Identifier: GPL-2.0 */
/* Runs the commands of a comparison in turns. */
#pragma once

#include "cli/compare_args.h"
#include "report/json_comparison.h"

/*
 * Adds the runs of the commands to their sides: side_of[i] is that of o->inputs[i]. After a message
 * returns an exit status; what was measured until then, whole rounds, is there all the same. If a
 * signal has ended it, *signal is set.
 */
int compare_run_all(const struct compare_options *o, const size_t *side_of,
		    struct compared_captures *captures, int *signal);
