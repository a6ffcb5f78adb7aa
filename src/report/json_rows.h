/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of a long list of a file, one after the other. */
#pragma once

#include "report/json_file.h"

struct json_rows {
	struct json_node list;
	const struct json_file *file; /* NULL: the list is in memory */
	size_t at, end;		      /* the rest of the text */
	size_t index;
	json_t *row;
};

void json_rows_begin(struct json_rows *r, const struct json_node *list);

/*
 * The next row, which is there until the next call; false after the last one, or an error. Call it
 * until then.
 */
bool json_rows_next(struct json_rows *r, struct json_node *row);
