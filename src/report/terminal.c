// SPDX-License-Identifier: GPL-2.0
/* Tables as they are on a terminal. */
#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>

#include "report/sheet.h"

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

static bool add_row(struct libscols_table *table, const struct sheet *s, const struct cell *row)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	bool failed = !line;
	char buf[32];

	for (size_t i = 0; !failed && i < s->nr_columns; i++)
		failed = scols_line_set_data(line, i,
					     cell_text(&row[i], FOR_PEOPLE, buf, sizeof(buf)));
	return !failed;
}

int sheet_draw_columns(FILE *out, const struct sheet *s, bool titled)
{
	struct libscols_table *table = new_table(out, s);
	bool failed = !table;

	(void)titled;
	for (size_t i = 0; !failed && i < sheet_rows(s); i++)
		failed = !add_row(table, s, &s->cells[i * s->nr_columns]);
	if (!failed)
		failed = scols_print_table(table);
	scols_unref_table(table);
	return failed ? -ENOMEM : 0;
}

/* "command    ./endl_loop": names and values, without headings. */
int sheet_draw_list(FILE *out, const struct sheet *s, bool titled)
{
	char buf[32];

	(void)titled;
	for (size_t i = 0; i + 1 < s->nr_cells; i += 2) {
		fprintf(out, "%-10s ", cell_text(&s->cells[i], FOR_PEOPLE, buf, sizeof(buf)));
		fprintf(out, "%s\n", cell_text(&s->cells[i + 1], FOR_PEOPLE, buf, sizeof(buf)));
	}
	return 0;
}
