/* SPDX-License-Identifier: GPL-2.0 */
/* Objects of JSON under construction. Errors are kept, so that callers check only the whole. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/histogram.h"

struct json_object {
	json_t *json;
	int err; /* The first error: -ENOMEM, -EOVERFLOW. 0: none. */
};

struct json_object json_object_new(void);

/* Puts a value, and takes it over. */
void json_put(struct json_object *o, const char *key, json_t *value);
/* Puts a finished part, null if it is not known, and takes it over with its error. */
void json_put_object(struct json_object *o, const char *key, bool known, struct json_object *part);
/* Adds a finished part to a list; adds its error to *err. */
void json_append(json_t *list, struct json_object *part, int *err);

/* Puts a number of at most 63 bits, or null. */
void json_put_number(struct json_object *o, const char *key, bool known, uint64_t value);
/* Puts a text, with the renderers' escapes. NULL: null. */
void json_put_text(struct json_object *o, const char *key, const char *text);
/* Puts a list of texts that ends with a NULL. NULL: null. */
void json_put_words(struct json_object *o, const char *key, char *const *words);
/* Puts the members that tell which syscall a row is about. key: that of its name. */
void json_put_call(struct json_object *o, const char *key, const char *name, enum iotrace_abi abi,
		   int nr);
/*
 * Puts the buckets that hold something, or null. edges: the keys of the lower and the upper edge.
 */
void json_put_histogram(struct json_object *o, const char *key, bool known, const uint64_t *counts,
			const struct histogram_scale *scale, const char *const edges[2]);
/*
 * Makes the end of a command from its wait status; null of -1, which is not known. NULL: no memory.
 */
json_t *json_of_exit(int status);
/* Puts a number that need not be whole. NAN and infinity: null. */
void json_put_real(struct json_object *o, const char *key, double value);

/* A list that is printed row by row, because it may be too long to be held. */
struct json_printed_list {
	const char *key; /* Key of the member that is an empty list in the document. */
	/* Hands over each row, and ends with the first error of print(). */
	int (*each)(const void *arg, int (*print)(void *to, struct json_object *row), void *to);
	const void *arg;
	bool compact; /* Its rows have no blanks. */
};

enum json_layout {
	JSON_IN_LINES, /* Each member, and each object of its lists, has a line. */
	JSON_IN_ONE_LINE,
};

/*
 * Prints a document, with numbers that are not whole in this many digits. lists: NULL: there are
 * none. 0 or a list's error.
 */
int json_print_document(FILE *out, json_t *json, unsigned digits,
			const struct json_printed_list *lists, enum json_layout layout);
