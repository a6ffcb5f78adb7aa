/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of JSON that renderers wrote. They are untrusted. The long lists of a document are found in
 * its text: as a tree a capture's files would take some twenty times as much memory as their text,
 * so each row is parsed by itself when it is read.
 */
#pragma once

#include "report/json_reader.h"

/*
 * The keys of the lists, in whatever object they are. A reader of captures makes the findings
 * itself.
 */
#define LONG_LIST_GROUPS    "groups"
#define LONG_LIST_FILES	    "files"
#define LONG_LIST_FINDINGS  "findings"
#define LONG_LIST_INTERVALS "intervals"

/* The text between the brackets of a list. */
struct json_list {
	size_t begin, end;
};

/* The state of a search that goes through a text as it comes. It is zeroed at the beginning. */
struct json_lists {
	struct json_list *list;
	size_t nr;
	size_t at;	     /* Bytes that were looked at. */
	size_t bytes_inside; /* Bytes in the lists that have ended. */
	size_t string;	     /* Offset of the string that is being read. */
	bool in_string, escaped;
	unsigned char key; /* Last token: the key of a list, or its colon. 0: another. */
	size_t depth;	   /* Open brackets of the list that is being read. 0: in no list. */
};

struct json_file {
	const char *text;
	size_t len;
	char *own_text;		 /* The text if it is to be freed. NULL: it is the caller's. */
	struct json_lists lists; /* Lists that struct json_rows reads. */
	json_t *json;		 /* The document with a number in place of each list. */
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
	const struct json_file *file; /* NULL: the list is in memory. */
	size_t at, end;		      /* The text that is left. */
	size_t index;
	json_t *row;
};

void json_rows_begin(struct json_rows *r, const struct json_node *list);

/*
 * Reads the next row, which is there until the next call. False after the last one, or an error. It
 * must be called until then.
 */
bool json_rows_next(struct json_rows *r, struct json_node *row);
