/* SPDX-License-Identifier: GPL-2.0 */
/* Files of JSON that renderers wrote. They are untrusted. */
#pragma once

#include "report/json_lists.h"
#include "report/json_reader.h"

/* A capture has a few MB at most besides its files and findings, and some kB a row. */
#define JSON_REST_MAX_BYTES (64UL << 20)
#define JSON_ROW_MAX_BYTES  (1UL << 20)

struct json_file {
	const char *text;
	size_t len;
	char *own_text;		 /* to be freed; NULL: it is the caller's */
	struct json_lists lists; /* read by struct json_rows */
	json_t *json;		 /* the rest */
};

/*
 * Reads a file ("-": standard input) or text as JSON, to be closed in any case. The text must stay
 * until then. A file is refused when it would take more than half of the memory that is available.
 * 0, or -errno with one line in err that says what is wrong and in which line and column.
 */
int json_file_read(struct json_file *f, const char *path, char *err, size_t err_size);
int json_file_parse(struct json_file *f, const char *text, size_t len, char *err, size_t err_size);
void json_file_close(struct json_file *f);

/* Says what the parser found wrong at a place of the text. Returns -EINVAL or -ENOMEM. */
int json_file_syntax_error(const struct json_file *f, size_t place, const json_error_t *error,
			   char *err, size_t err_size);
