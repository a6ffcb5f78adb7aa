/* SPDX-License-Identifier: GPL-2.0 */
/* Files of JSON that renderers wrote. They are untrusted. */
#pragma once

#include "report/json_reader.h"

/* A full capture has a few MB at most; larger files are refused. */
#define JSON_FILE_MAX_BYTES (64UL << 20)

/*
 * Reads a file ("-": standard input) or text as JSON, to be freed by json_decref(). 0, or -errno
 * with one line in err that says what is wrong and in which line and column; *json is then NULL.
 */
int json_file_read(json_t **json, const char *path, char *err, size_t err_size);
int json_file_parse(json_t **json, const char *text, size_t len, char *err, size_t err_size);
