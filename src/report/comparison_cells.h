/* SPDX-License-Identifier: GPL-2.0 */
/* Cells of the tables of a comparison. */
#pragma once

#include "model/compare.h"
#include "report/sheets.h"

/* Adds a mean or a deviation, seldom a whole number. Programs get base units. */
void sheet_real(struct sheet *s, enum audience audience, bool known, enum cell_kind kind,
		double value);
/* Adds, for people, the mean of a figure. */
void sheet_mean(struct sheet *s, enum cell_kind kind, const struct compared *c);
void sheet_ratio(struct sheet *s, const struct difference *d);
/* Adds the spread, and the difference from the first side, in these columns. */
#define COMPARED_COLUMNS "mean", "deviation", "min", "max", "ratio", "p", "difference"
void sheet_compared(struct sheet *s, enum audience audience, enum cell_kind kind,
		    const struct compared *c);
/* Adds the letter of a side. */
void sheet_letter(struct sheet *s, size_t side);

#define FAILURE_SIZE 32
/* Prints "exit status 3" or "signal 9". Returns buf. */
const char *failure_name(char buf[FAILURE_SIZE], const struct failure *failure);
/*
 * Prints the failures of a side's commands: "exit status 3 in 1 of 3 runs and in 3 of 3 without
 * iotrace; signal 9 in ...", or "". To be freed; NULL: no memory.
 */
char *failures_text(const struct side *side);
/* Adds, for programs, all of a side's failures in one cell. */
void sheet_failures(struct sheet *s, const struct side *side);

/* ---- comparison_groups.c: who makes the calls ---- */

/* Fills in the first groups for people, and all of them for programs, if there are any. */
void sheet_compared_groups(struct sheet *s, const struct comparison *c);
void sheet_compared_group_lines(struct sheet *s, const struct comparison *c);
