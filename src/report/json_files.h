/* SPDX-License-Identifier: GPL-2.0 */
/* The files and findings of a result in JSON. */
#pragma once

#include "model/result.h"
#include "report/json_writer.h"

/*
 * "files": a row for each file and syscall, those of one file together; null where they are not
 * known. "files_missing": what the rows lack.
 */
void json_put_files(struct json_object *o, const struct result *r);
/* "findings"; null where the files are not known. */
void json_put_findings(struct json_object *o, const struct result *r);

/* Users of a file that are listed; the others are only counted. */
#define CAPTURE_USERS 4
