// SPDX-License-Identifier: GPL-2.0
/* The run over time as a table for people: a row for each interval, or for several neighbours. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/intervals.h"
#include "report/interval_cells.h"
#include "report/sheets.h"

/* Unless they are asked for, people get no more rows. */
#define MAX_ROWS 40

struct interval_rows {
	struct sheet *sheet;
	struct seen_findings seen;
};

static int add_row(void *arg, const struct interval *i)
{
	struct interval_rows *rows = arg;
	struct interval_cells cells;
	int err = interval_cells_make(&cells, i, &rows->seen);

	for (size_t k = 0; !err && k < NR_INTERVAL_COLUMNS; k++) {
		const char *text = cells.texts[k];

		if (k == INTERVAL_FILE)
			sheet_escaped(rows->sheet, text);
		else if (k == INTERVAL_NEWS && !text)
			sheet_blank(rows->sheet);
		else
			sheet_text(rows->sheet, text && *text ? text : NULL);
	}
	interval_cells_free(&cells);
	return err;
}

void sheet_intervals(struct sheet *s, const struct sheet_source *source)
{
	const struct intervals *intervals = source->result->intervals;
	unsigned sections = source->options->sections;
	bool asked = sections & SECTION_INTERVALS && sections != SECTION_ALL;
	struct interval_rows rows = { .sheet = s };
	size_t nr = 0;

	for (size_t i = 0; i < NR_INTERVAL_COLUMNS; i++)
		sheet_column(s, interval_headings[i], i >= INTERVAL_FILE);
	if (!intervals)
		return;
	if (intervals_count(intervals, source->profile, &nr) ||
	    (nr && intervals_each_sum(intervals, source->profile,
				      asked ? 1 : (nr + MAX_ROWS - 1) / MAX_ROWS, add_row, &rows)))
		s->failed = true;
	seen_findings_free(&rows.seen);
}
