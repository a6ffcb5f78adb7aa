/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A result as JSON: what scripts read, and what json_capture.c reads back. src/report/schema.json
 * describes it; a change that breaks a reader makes a new CAPTURE_SCHEMA.
 */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "model/result.h"

/* These sections (enum section); *err is 0 or -errno. */
json_t *json_of_result(const struct result *r, unsigned sections, int *err);
/* Prints that. 0 or -errno. */
int json_print_result(FILE *out, const struct result *r, unsigned sections);
