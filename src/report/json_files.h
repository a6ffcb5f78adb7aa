/* SPDX-License-Identifier: GPL-2.0 */
/* The files and findings of a result in JSON. */
#pragma once

#include "model/result.h"
#include "report/json_writer.h"

/*
 * "files": without the rows; null where they are not known. "files_missing": what the rows lack.
 */
void json_put_files(struct json_object *o, const struct result *r);
/*
 * Hands over a row for each file and syscall of a struct result, those of one file together, until
 * that fails. 0, or -errno as hand() returned it.
 */
int json_each_file_row(const void *result, int (*hand)(void *to, struct json_object *row),
		       void *to);
/* "findings"; null where the files are not known. */
void json_put_findings(struct json_object *o, const struct result *r);

/* Users of a file that are listed; the others are only counted. */
#define CAPTURE_USERS 4
