/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the long lists of a document in its text. As a tree a capture's files would take some
 * twenty times as much memory as their text, so each row is parsed by itself when it is read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The keys of the lists, wherever they are. A reader of captures makes the findings itself. */
#define LONG_LIST_FILES	   "files"
#define LONG_LIST_FINDINGS "findings"

/* The text between the brackets. */
struct json_list {
	size_t begin, end;
};

/* Goes through a text as it comes; zeroed at the beginning. */
struct json_lists {
	struct json_list *list;
	size_t nr;
	size_t at;	     /* bytes that were looked at */
	size_t bytes_inside; /* those of the lists that have ended */
	size_t string;	     /* the beginning of the string that at is in */
	bool in_string, escaped;
	unsigned char key; /* the last thing before at: a list's key, or also its colon */
	size_t depth;	   /* brackets that are open in the list that at is in; 0: in none */
};

/* Looks at what has been added to the text. 0 or -ENOMEM. */
int json_lists_find(struct json_lists *l, const char *text, size_t len);

/* The bytes of the text so far that are in no list that was found. */
size_t json_lists_rest(const struct json_lists *l);

/*
 * The text with [number] for each list, and its length, to be freed; NULL: no memory.
 */
char *json_lists_cut(const struct json_lists *l, const char *text, size_t len, size_t *rest_len);

/* The place in the text of a place in what json_lists_cut() made. */
size_t json_lists_place(const struct json_lists *l, size_t place);

void json_lists_free(struct json_lists *l);
