// SPDX-License-Identifier: GPL-2.0
/* Tables and texts on a terminal. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "report/fill.h"
#include "report/render.h"

#define LEAST_WIDTH 8 /* The least width of a column of text. */

static size_t columns_of(const char *text)
{
	return text_width(text, strlen(text));
}

/*
 * Computes the width that each column may have: if the table does not fit, the widest text has to
 * give way.
 */
static void fit_columns(const struct sheet *s, size_t *widths)
{
	size_t total = s->nr_columns - 1;
	char buf[32];

	for (size_t i = 0; i < s->nr_columns; i++)
		widths[i] = columns_of(s->columns[i].heading);
	for (size_t i = 0; i < s->nr_cells; i++) {
		size_t width = columns_of(cell_text(&s->cells[i], FOR_PEOPLE, buf, sizeof(buf)));

		if (width > widths[i % s->nr_columns])
			widths[i % s->nr_columns] = width;
	}
	for (size_t i = 0; i < s->nr_columns; i++)
		total += widths[i];
	for (; total > LINE_WIDTH; total--) {
		size_t *widest = NULL;

		for (size_t i = 0; i < s->nr_columns; i++)
			if (s->columns[i].left && (!widest || widths[i] >= *widest))
				widest = &widths[i];
		if (!widest || *widest <= LEAST_WIDTH)
			break;
		--*widest;
	}
}

/* Prints a text in its column; nothing follows the last one. */
static void print_cell(FILE *out, const struct sheet *s, size_t column, const char *text,
		       size_t width, bool last)
{
	int blanks = (int)(width - columns_of(text));
	bool left = s->columns[column].left;

	if (left)
		fprintf(out, "%s%*s", text, last ? 0 : blanks, "");
	else
		fprintf(out, "%*s%s", blanks, "", text);
	fputc(last ? '\n' : ' ', out);
}

/* Leaves out the last items of a list until it fits, but not the first one. */
static void drop_items(char *list, size_t width)
{
	char *comma;

	while (columns_of(list) > width && (comma = strrchr(list, ',')))
		*comma = '\0';
}

/* Prints a text that may be longer than its column is wide. */
static int print_shortened(FILE *out, const struct sheet *s, size_t column, const char *text,
			   size_t width, bool last)
{
	char *copy;

	if (columns_of(text) <= width) {
		print_cell(out, s, column, text, width, last);
		return 0;
	}
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	if (s->columns[column].list)
		drop_items(copy, width);
	print_cell(out, s, column, shorten_text(copy, width), width, last);
	free(copy);
	return 0;
}

static const char *text_of(const struct sheet *s, size_t row, size_t column, char buf[32])
{
	return cell_text(&s->cells[row * s->nr_columns + column], FOR_PEOPLE, buf, 32);
}

/* Returns the last column of a row that is not blank. */
static size_t last_cell(const struct sheet *s, size_t row)
{
	size_t last = s->nr_columns - 1;
	char buf[32];

	while (last && !*text_of(s, row, last, buf))
		last--;
	return last;
}

/*
 * Draws columns that fit into a line: lists lose their last items, and other texts their middle. 0
 * or -ENOMEM.
 */
static int draw_columns(FILE *out, const struct sheet *s)
{
	size_t widths[ARRAY_SIZE(s->columns)], last;
	char buf[32];
	int err = 0;

	if (!s->nr_cells)
		return 0;
	fit_columns(s, widths);
	for (size_t i = 0; i < s->nr_columns; i++)
		print_cell(out, s, i, s->columns[i].heading, widths[i], i + 1 == s->nr_columns);
	for (size_t row = 0; !err && row < sheet_rows(s); row++) {
		last = last_cell(s, row);
		for (size_t i = 0; !err && i <= last; i++)
			err = print_shortened(out, s, i, text_of(s, row, i, buf), widths[i],
					      i == last);
	}
	return err;
}

/*
 * Draws a line for each name and value, "command    ./endl_loop", broken where it is too long. 0 or
 * -ENOMEM.
 */
static int draw_list(FILE *out, const struct sheet *s)
{
	char buf[32], *text = NULL;
	size_t size;
	FILE *lines = open_memstream(&text, &size);
	int err;

	for (size_t i = 0; lines && i + 1 < s->nr_cells; i += 2) {
		fprintf(lines, "%-10s ", cell_text(&s->cells[i], FOR_PEOPLE, buf, sizeof(buf)));
		fprintf(lines, "%s\n", cell_text(&s->cells[i + 1], FOR_PEOPLE, buf, sizeof(buf)));
	}
	text = text_of_stream(lines, &text);
	err = text ? fill_lines(out, text) : -ENOMEM;
	free(text);
	return err;
}

static int draw(FILE *out, const struct sheet *s)
{
	int err = 0;

	if (s->apart)
		fputc('\n', out);
	if (s->titled)
		fprintf(out, "%s\n\n", s->title);
	if (s->form == SHEET_TABLE)
		err = draw_columns(out, s);
	else if (s->form == SHEET_LIST)
		err = draw_list(out, s);
	else if (s->form == SHEET_LINES)
		err = fill_lines(out, s->text);
	else
		fputs(s->text, out);
	if (s->titled)
		fputc('\n', out);
	return err;
}

const struct renderer render_table = {
	.name = "table",
	.sections = SECTION_ALL,
	.default_sections = SECTION_ALL & ~(SECTION_RUN | SECTION_STACKS),
	.intervals = INTERVALS_AS_LINES,
	.audience = FOR_PEOPLE,
	.terminal = true,
	.draw = draw,
};
