/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Captures: results as JSON, which scripts read, and from which a profile is read back. They are
 * untrusted then. src/report/schema.json describes them; a change that breaks a reader makes a new
 * CAPTURE_SCHEMA.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "model/intervals.h"
#include "model/profile.h"
#include "model/provenance.h"
#include "model/result.h"

/* The version of the format. Members may be added to it; what is there keeps its meaning. */
#define CAPTURE_SCHEMA 1

/* Makes these sections (enum section) of a result. *err is 0 or -errno. */
json_t *json_of_result(const struct result *r, unsigned sections, int *err);
/* Print these sections of a result: in lines that diff(1) can show, or in one. 0 or -errno. */
int json_print_result(FILE *out, const struct result *r, unsigned sections);
int json_print_line(FILE *out, const struct result *r, unsigned sections);

/* Digits of numbers that are not whole, such as shares. */
#define SHARE_DIGITS 5

/* The JSON Schema of captures: the text of src/report/schema.json. */
extern const char capture_schema[];

struct json_node;

struct capture {
	struct profile profile; /* Its provenance is the one below. */
	struct provenance provenance;
	struct intervals intervals; /* Those of the run; empty without --interval. */
	char *backend, *time_note;  /* Strings of the profile, owned. */
};

/*
 * Reads a file ("-": standard input) or text into *c, which is overwritten; capture_free() it
 * whatever is returned, and do not move it. 0, or -errno with one line saying what is wrong and
 * where in err: line and column, or the path of the member.
 */
int capture_read(struct capture *c, const char *path, char *err, size_t err_size);
int capture_parse(struct capture *c, const char *text, size_t len, char *err, size_t err_size);
/* Reads a part of a document; errors are set as in json_reader.h. */
void capture_read_node(struct capture *c, const struct json_node *n);
void capture_free(struct capture *c);
