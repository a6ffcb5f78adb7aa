// SPDX-License-Identifier: GPL-2.0
#include "report/terminal.h"

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/fill.h"

#define LEAST_WIDTH 8 /* of a column of text */

/* NULL: no memory. */
static struct libscols_table *new_table(FILE *out, const struct sheet *s)
{
	struct libscols_table *table = scols_new_table();
	bool failed = !table;

	for (size_t i = 0; !failed && i < s->nr_columns; i++)
		failed = !scols_table_new_column(table, s->columns[i].heading, 0,
						 s->columns[i].left ? 0 : SCOLS_FL_RIGHT);
	/* Text is escaped already. */
	if (failed || scols_table_enable_noencoding(table, 1)) {
		scols_unref_table(table);
		return NULL;
	}
	scols_table_set_stream(table, out);
	/* The report must not depend on the terminal. */
	scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
	scols_table_set_termwidth(table, 65535);
	return table;
}

/*
 * The width that each column may have: if the table does not fit, the widest text has to give way.
 */
static void fit_columns(const struct sheet *s, size_t *widths)
{
	size_t total = s->nr_columns - 1;
	char buf[32];

	for (size_t i = 0; i < s->nr_columns; i++)
		widths[i] = strlen(s->columns[i].heading);
	for (size_t i = 0; i < s->nr_cells; i++) {
		size_t width = strlen(cell_text(&s->cells[i], FOR_PEOPLE, buf, sizeof(buf)));

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

static bool set_cell(struct libscols_line *line, size_t i, const char *text, size_t width)
{
	char *shortened = strlen(text) > width ? strdup(text) : NULL;
	bool failed = strlen(text) > width && !shortened;

	if (!failed)
		failed = scols_line_set_data(line, i,
					     shortened ? shorten_text(shortened, width) : text);
	free(shortened);
	return !failed;
}

static bool add_row(struct libscols_table *table, const struct sheet *s, const struct cell *row,
		    const size_t *widths)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	bool failed = !line;
	char buf[32];

	for (size_t i = 0; !failed && i < s->nr_columns; i++)
		failed = !set_cell(line, i, cell_text(&row[i], FOR_PEOPLE, buf, sizeof(buf)),
				   widths[i]);
	return !failed;
}

int terminal_draw_columns(FILE *out, const struct sheet *s)
{
	struct libscols_table *table = new_table(out, s);
	size_t widths[sizeof(s->columns) / sizeof(*s->columns)];
	bool failed = !table;

	fit_columns(s, widths);
	for (size_t i = 0; !failed && i < sheet_rows(s); i++)
		failed = !add_row(table, s, &s->cells[i * s->nr_columns], widths);
	if (!failed)
		failed = scols_print_table(table);
	scols_unref_table(table);
	return failed ? -ENOMEM : 0;
}

/* "command    ./endl_loop": names and values, without headings. */
void terminal_draw_list(FILE *out, const struct sheet *s)
{
	char buf[32];

	for (size_t i = 0; i + 1 < s->nr_cells; i += 2) {
		fprintf(out, "%-10s ", cell_text(&s->cells[i], FOR_PEOPLE, buf, sizeof(buf)));
		fprintf(out, "%s\n", cell_text(&s->cells[i + 1], FOR_PEOPLE, buf, sizeof(buf)));
	}
}
