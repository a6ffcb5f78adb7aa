/* SPDX-License-Identifier: GPL-2.0 */
/* What is reported of an interval when it ends. */
#pragma once

#include <stdio.h>

#include "model/interval.h"
#include "report/interval_cells.h"
#include "model/result.h"

struct interval_report {
	const struct result *result; /* Everything in it. */
	const struct interval *interval;
	const struct interval_cells *cells;
	const char *clock; /* Time of day of its end, such as "14:03:05". */
	size_t number;	   /* Number of intervals before it. */
};

/* Prints a line for people, below headings where its number asks for them. 0 or -ENOMEM. */
int print_interval_line(FILE *out, const struct interval_report *i);
