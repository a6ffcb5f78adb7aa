// SPDX-License-Identifier: GPL-2.0
/*
 * The run over time for programs: the table of another section for each interval, with the
 * interval's end in front.
 */
#include <errno.h>
#include <string.h>

#include "model/intervals.h"
#include "report/sheets.h"

struct joined_tables {
	struct sheet *sheet;
	const struct render_options *options;
	unsigned section;
};

/* Moves the rows of an interval's table to the end of the whole one. */
static void join(struct sheet *to, struct sheet *from, uint64_t end_ns)
{
	if (!to->nr_columns) {
		sheet_column(to, "end_ns", false);
		for (size_t i = 0; i < from->nr_columns; i++)
			sheet_column(to, from->columns[i].heading, from->columns[i].left);
	}
	for (size_t i = 0; i < from->nr_cells; i++) {
		if (i % from->nr_columns == 0)
			sheet_number(to, CELL_NS, end_ns);
		sheet_move_cell(to, &from->cells[i]);
	}
}

static int join_interval(void *arg, const struct interval *i)
{
	const struct joined_tables *t = arg;
	struct document d = { 0 };
	struct result part = { .profile = &i->profile };
	int err = 0;

	if (t->section & (SECTION_FILES | SECTION_FINDINGS))
		err = result_make(&part, &i->profile, t->options->buffer_size);
	if (!err)
		err = document_of_result(&d, &part, t->options, t->section, FOR_PROGRAMS);
	if (!err && d.nr_sheets)
		join(t->sheet, &d.sheets[0], i->end_ns);
	document_free(&d);
	result_free(&part);
	return err ? err : t->sheet->failed ? -ENOMEM : 0;
}

int document_of_intervals(struct document *d, const struct result *r,
			  const struct render_options *o, unsigned section)
{
	struct joined_tables tables = { .options = o, .section = section };
	struct interval nothing = { 0 };
	int err;

	tables.sheet = document_add(d, "intervals");
	if (!tables.sheet)
		return -ENOMEM;
	err = intervals_each(r->intervals, r->profile, join_interval, &tables);
	if (!err && !tables.sheet->nr_columns) {
		/* There are headings even if there is no interval. */
		nothing.profile.backend = r->profile->backend;
		err = join_interval(&tables, &nothing);
	}
	return err;
}
