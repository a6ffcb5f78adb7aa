/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of JSON that renderers wrote. They are untrusted. The long lists of a document are found in
 * its text: as a tree a capture's files would take some twenty times as much memory as their text,
 * so each row is parsed by itself when it is read.
 */
#pragma once

#include "report/json_reader.h"

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

/* The rows of a long list of a file, one after the other. */
struct json_rows {
	struct json_node list;
	const struct json_file *file; /* NULL: the list is in memory */
	size_t at, end;		      /* the rest of the text */
	size_t index;
	json_t *row;
};

void json_rows_begin(struct json_rows *r, const struct json_node *list);

/*
 * The next row, which is there until the next call; false after the last one, or an error. Call it
 * until then.
 */
bool json_rows_next(struct json_rows *r, struct json_node *row);
