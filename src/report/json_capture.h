/* SPDX-License-Identifier: GPL-2.0 */
/* Captures: profiles that the json renderer wrote, read back. The file is untrusted. */
#pragma once

#include <stddef.h>

#include "model/profile.h"
#include "model/provenance.h"

/* The version of the format. Members may be added to it; what is there keeps its meaning. */
#define CAPTURE_SCHEMA 1

/* The words of "unknown"; ends with a NULL. */
extern const struct capture_unknown {
	const char *name;
	unsigned bit; /* enum profile_unknown */
} capture_unknown[];

struct json_node;

struct capture {
	struct profile profile; /* its provenance is the one below */
	struct provenance provenance;
	char *backend, *time_note; /* the profile's */
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
