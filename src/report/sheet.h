/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sections of a report as plain tables: headings and cells, for the formats that draw every table alike. Which
 * tables there are is a row each in sheets.c; how they look is the format's business.
 */
#ifndef IOTRACE_SHEET_H
#define IOTRACE_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "report/render.h"

enum cell_kind {
	CELL_NONE,  /* not known, or there is no such thing: "-" for people, empty for programs */
	CELL_BLANK, /* empty for everybody */
	CELL_TEXT,  /* our own words */
	CELL_CODE,  /* text from elsewhere, or a name; already escaped as escape_text() does */
	CELL_COUNT,
	CELL_NS,
	CELL_BYTES,
	CELL_SHARE, /* in units of 0.01 % */
};

struct cell {
	enum cell_kind kind;
	uint64_t value;
	char *text; /* of CELL_TEXT and CELL_CODE; owned */
};

struct sheet_column {
	const char *heading; /* for programs, the key that JSON has */
	bool left;	     /* aligned */
};

#define MAX_SHEET_COLUMNS 48

struct sheet {
	char title[64];
	struct sheet_column columns[MAX_SHEET_COLUMNS];
	size_t nr_columns;
	struct cell *cells; /* row by row */
	size_t nr_cells;
	bool failed; /* no memory, or no room for a column: something is missing */
};

/*
 * Draws the tables of these sections; for people, only those that have rows. Returns 0, or -ENOMEM after incomplete
 * output.
 */
int sheets_draw(FILE *out, const struct result *r, const struct render_options *o,
		unsigned sections, enum audience audience, sheet_draw_fn draw);

/*
 * Draw on a terminal: in columns (libsmartcols) that fit into a line, long texts being shortened in their middle; or as
 * lines of a name and a value.
 */
int sheet_draw_columns(FILE *out, const struct sheet *s, bool titled);
int sheet_draw_list(FILE *out, const struct sheet *s, bool titled);

/* Was the table of files asked for? Otherwise it shows only what findings are about. */
bool files_asked(const struct render_options *o);
/* For people: those that took most time, or up to 5 that findings are about. */
void sheet_files(struct sheet *s, const struct result *r, const struct render_options *o);
/* For programs: a row for each syscall on each file. */
void sheet_file_calls(struct sheet *s, const struct result *r);
/* For people: one finding, as names and values. For programs: a row for each. */
void sheet_finding(struct sheet *s, const struct result *r, const struct finding *f);
void sheet_findings(struct sheet *s, const struct result *r);
/* Those that are not shown, by their ids. */
void sheet_more_findings(struct sheet *s, const struct result *r, const struct render_options *o);

/* Building: cells are added from left to right, row after row. */
void sheet_column(struct sheet *s, const char *heading, bool left);
/* Several columns, the first nr_left of them aligned to the left. */
void sheet_columns(struct sheet *s, size_t nr_left, const char *const *headings);
#define SHEET_COLUMNS(s, nr_left, ...) \
	sheet_columns(s, nr_left, (const char *const[]){ __VA_ARGS__, NULL })
/* Of the figure's unit. */
enum cell_kind cell_kind_of(enum figure_id id);
void sheet_none(struct sheet *s);
void sheet_blank(struct sheet *s);
void sheet_text(struct sheet *s, const char *text);
void sheet_code(struct sheet *s, const char *text);    /* raw: it is escaped in here; NULL: none */
void sheet_escaped(struct sheet *s, const char *text); /* CELL_CODE, escaped already */
void sheet_number(struct sheet *s, enum cell_kind kind, uint64_t value);
/* A number, or CELL_NONE. */
void sheet_known(struct sheet *s, bool known, enum cell_kind kind, uint64_t value);
/* Removes the columns that are blank in every row. */
void sheet_drop_blank(struct sheet *s);
void sheet_free(struct sheet *s);

size_t sheet_rows(const struct sheet *s);

/* The text of a cell, before the format escapes it. Returns buf (32 bytes) or the cell's own text. */
const char *cell_text(const struct cell *c, enum audience audience, char *buf, size_t size);
#endif
