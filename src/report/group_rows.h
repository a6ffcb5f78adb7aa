/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of groups (--by), as tables and pictures show them. */
#pragma once

#include "model/groups.h"
#include "model/profile.h"
#include "report/columns.h"

/* A group, or with two keys those that have the first one in common. */
struct group_row {
	const struct group_stats *group; /* One of them. */
	struct group_stats all;		 /* The calls of all, of a row of several. */
	struct group_call sum;
	uint64_t key; /* What the rows are sorted by. */
	bool several;
};

struct group_rows {
	struct group_row *list;
	size_t nr;
};

/*
 * Makes the rows of the first key, or, with a group of such a row, those of both keys below it, in
 * the order of -S. Returns 0 or -ENOMEM. Call group_rows_free() in either case.
 */
int group_rows_make(struct group_rows *rows, const struct profile *p,
		    const struct group_stats *parent, enum column_id sort);
void group_rows_free(struct group_rows *rows);

/* Returns what has the row's calls: a group, or all of them. */
const struct group_stats *group_row_calls(const struct group_row *row);
/* Returns the name of a row by the key that it is of. */
const char *group_row_name(char buf[GROUP_NAME_SIZE], const struct group_row *row,
			   const struct profile *p);
/* Returns what tells a row from those of the same name: "[812]", " (1000)", or "". */
const char *group_row_id(char buf[GROUP_ID_SIZE], const struct group_row *row,
			 const struct profile *p);
