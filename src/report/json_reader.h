/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Typed access to untrusted JSON. The first violation sets the error, which names its place by path
 * ("syscalls[3].calls"). After an error every value is 0, NULL or empty, so that callers need to
 * check for errors only at the end.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_file;

struct json_reader {
	/* File with the long lists. NULL: all of the document is in memory. */
	const struct json_file *file;
	/* It is about a part of a run, in which figures that fit each other may be a call apart. */
	bool part;
	int err; /* 0, or the -errno of the first error. */
	char message[512];
};

/* A place in the document. Its parent must outlive it. */
struct json_node {
	struct json_reader *reader;
	const struct json_node *parent; /* NULL: it is the document. */
	const char *key;		/* NULL: it is an element. */
	size_t index;
	const json_t *json; /* NULL: an error was met on the way. */
};

struct json_node json_root(struct json_reader *r, const json_t *json);

bool json_has(const struct json_node *n, const char *key); /* Is there a member of this name? */

/* Returns a member that must be there. */
struct json_node json_member(const struct json_node *n, const char *key);
/* Returns a member that older captures lack. It is none there, without an error. */
struct json_node json_optional(const struct json_node *n, const char *key);
/* Returns an element. Its JSON is NULL after the last one, and after an error. */
struct json_node json_element(const struct json_node *n, size_t index);
/* Walks through the elements of a list, up to an error. */
#define json_for_each(element, list)                                           \
	for (struct json_node element = json_element(list, 0); (element).json; \
	     element = json_element(list, (element).index + 1))
size_t json_list_size(const struct json_node *n);

bool json_is_none(const struct json_node *n);	 /* Is it null? */
uint64_t json_number(const struct json_node *n); /* Reads a number up to 2^63 - 1. */
uint64_t json_number_within(const struct json_node *n, uint64_t low, uint64_t high);
bool json_bool(const struct json_node *n);

/* Reads a text: as it is, and without the renderers' escapes, to be freed. NULL after an error. */
const char *json_word(const struct json_node *n);
char *json_text(const struct json_node *n);

/* Sets the error, unless one is set already. */
void json_fail(const struct json_node *n, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Copies the reader's error, if there is one, escaped into err. 0 or -errno. */
int json_reader_result(const struct json_reader *r, char *err, size_t err_size);
