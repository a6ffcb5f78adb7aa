/* SPDX-License-Identifier: GPL-2.0 */
/* Comparisons as JSON: the captures of all runs, to be read back, and what was made of them. */
#pragma once

#include <stdio.h>

#include "model/compare.h"
#include "report/json_capture.h"

/* The version of the format. Members may be added to it; what is there keeps its meaning. */
#define COMPARISON_SCHEMA 1

/* Prints a comparison. 0 or -errno. */
int json_print_comparison(FILE *out, const struct comparison *c);

/* Sides, and the captures of their runs. */
struct compared_captures {
	struct comparison comparison;
	struct capture **list;
	size_t nr;
};

/*
 * Adds the sides of a file ("-": standard input): the one of a capture, all of a comparison. 0, or
 * -errno with one line saying what is wrong and where in err.
 */
int compared_captures_read(struct compared_captures *c, const char *path, char *err,
			   size_t err_size);
/* Adds the sides of a text; name is that of a capture's side. As above. */
int compared_captures_parse(struct compared_captures *c, const char *name, const char *text,
			    size_t len, char *err, size_t err_size);
/* Adds the run of a capture to a side. As above. */
int compared_captures_add(struct compared_captures *c, size_t side, const char *text, size_t len,
			  char *err, size_t err_size);
void compared_captures_free(struct compared_captures *c);
