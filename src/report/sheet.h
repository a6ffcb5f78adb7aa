/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table as headings and cells; how it looks is the format's business. A document is a list of
 * tables, made from one result or from several.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "model/figures.h"

enum audience {
	FOR_PEOPLE,   /* They get scaled figures, in tables as an article would show them. */
	FOR_PROGRAMS, /* They get plain numbers in base units, and every known figure. */
};

/* The forms of a sheet on a terminal. In other formats all are tables. */
enum sheet_form {
	SHEET_TABLE,
	SHEET_LIST,  /* Names and values, without headings. */
	SHEET_LINES, /* Text whose lines are broken where they are too long. */
	SHEET_TEXT,  /* Text as it is. */
};

enum cell_kind {
	CELL_NONE,  /* Not known, or there is no such thing: "-" for people, empty for programs. */
	CELL_BLANK, /* Empty for everybody. */
	CELL_TEXT,  /* Our own words. */
	/* Text from elsewhere, or a name. It is escaped already as escape_text() does. */
	CELL_CODE,
	CELL_COUNT,
	CELL_NS,
	CELL_BYTES,
	CELL_SHARE, /* A share, in units of 0.01 %. */
};

struct cell {
	enum cell_kind kind;
	uint64_t value;
	char *text; /* Text of CELL_TEXT and CELL_CODE, owned. */
};

struct sheet_column {
	const char *heading; /* For programs, the key that JSON has. */
	bool left;	     /* The text is aligned to the left. */
	bool list;	     /* It is "a, b, c", the last of which may be left out. */
};

#define MAX_SHEET_COLUMNS 64

struct sheet {
	char title[64];
	bool titled; /* The title is drawn, as there are other tables. */
	struct sheet_column columns[MAX_SHEET_COLUMNS];
	size_t nr_columns;
	struct cell *cells; /* The cells, row by row. */
	size_t nr_cells;
	enum sheet_form form;
	bool apart; /* A blank line stands before it on a terminal. */
	char *text; /* The text of SHEET_LINES and SHEET_TEXT, owned. NULL: it is a table. */
	size_t text_len;
	bool failed; /* Something is missing: there was no memory, or no room for a column. */
};

/* These build a table. Cells are added from left to right, row after row. */
void sheet_column(struct sheet *s, const char *heading, bool left);
/* Adds a column of lists, "a, b, c". Where a terminal has no room for them, the last are left out. */
void sheet_list_column(struct sheet *s, const char *heading);
/* Adds several columns, the first nr_left of them aligned to the left. */
void sheet_columns(struct sheet *s, size_t nr_left, const char *const *headings);
#define SHEET_COLUMNS(s, nr_left, ...) \
	sheet_columns(s, nr_left, (const char *const[]){ __VA_ARGS__, NULL })
/* Returns the kind of cell that has the figure's unit. */
enum cell_kind cell_kind_of(enum figure_id id);
void sheet_none(struct sheet *s);
void sheet_blank(struct sheet *s);
/* Adds our own words. NULL, here and in the next three: CELL_NONE. */
void sheet_text(struct sheet *s, const char *text);
/* Adds text from elsewhere, and escapes it. */
void sheet_code(struct sheet *s, const char *text);
/* Adds text from elsewhere that is escaped already. */
void sheet_escaped(struct sheet *s, const char *text);
/* Adds a command, escaped and quoted. */
void sheet_words(struct sheet *s, char *const *words);
void sheet_number(struct sheet *s, enum cell_kind kind, uint64_t value);
/* Adds a number, or CELL_NONE. */
void sheet_known(struct sheet *s, bool known, enum cell_kind kind, uint64_t value);
/* Adds a cell of another table, and takes its text over. */
void sheet_move_cell(struct sheet *s, struct cell *from);
/* Removes the columns that are blank in every row. */
void sheet_drop_blank(struct sheet *s);
void sheet_free(struct sheet *s);

size_t sheet_rows(const struct sheet *s);

/* Closes a stream of open_memstream(). Returns its text, to be freed; NULL: no memory. */
char *text_of_stream(FILE *stream, char **text);

/*
 * Escapes and quotes words for bash, so that their ends are visible. To be freed; NULL: no memory.
 */
char *quote_words(char *const *words);

/*
 * Returns the text of a cell, before the format escapes it: in buf, of 32 bytes, or the cell's own.
 */
const char *cell_text(const struct cell *c, enum audience audience, char *buf, size_t size);

struct document {
	struct sheet *sheets;
	size_t nr_sheets;
};

/* Adds a table at the end. NULL: no memory. The pointer is good until the next call. */
struct sheet *document_add(struct document *d, const char *title);
/* Takes the last table away. */
void document_drop(struct document *d);
void document_free(struct document *d);
