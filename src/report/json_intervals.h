/* SPDX-License-Identifier: GPL-2.0 */
/* The intervals of a capture (--interval). Errors of what reads are set as in json_reader.h. */
#pragma once

#include "model/intervals.h"
#include "model/profile_files.h"
#include "model/result.h"
#include "report/json_reader.h"
#include "report/json_writer.h"

/*
 * Makes the object of an interval, with what these sections (enum section) show of it. index: of
 * the run's files, whose ids it then has; NULL: those of its own.
 */
struct json_object json_of_interval(const struct interval *i, unsigned sections,
				    const struct files_index *index);

/* Puts "intervals" without the rows, and null without --interval. */
void json_put_intervals(struct json_object *o, const struct result *r);

/* What json_each_interval() hands over the intervals of. */
struct json_intervals {
	const struct result *result;
	unsigned sections;
};

/* Hands over a row for each of a struct json_intervals, as json_each_file_row() does for files. */
int json_each_interval(const void *what, int (*hand)(void *to, struct json_object *row), void *to);

/* Reads them after the syscalls, groups and files of the run. Older captures lack them. */
void json_read_intervals(struct intervals *intervals, const struct profile *run,
			 const struct json_node *root);
