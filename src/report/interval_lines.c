// SPDX-License-Identifier: GPL-2.0
/* The intervals of a run on a terminal: a line each, as vmstat and sar have it. */
#include "report/interval_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The headings stand above each so many lines. */
#define LINES_PER_HEADING 20

/* Widths of the columns of numbers, and of the file. */
static const int widths[NR_INTERVAL_COLUMNS] = { 9, 9, 8, 9, 6, 7, 24, 0 };

static void print_headings(FILE *out)
{
	fprintf(out, "%-8s", "clock");
	for (size_t i = 0; i < INTERVAL_FILE; i++)
		fprintf(out, " %*s", widths[i], interval_headings[i]);
	fprintf(out, "  %-*s %s\n", widths[INTERVAL_FILE], interval_headings[INTERVAL_FILE],
		interval_headings[INTERVAL_NEWS]);
}

/* Prints the file, whose path gives way, padded if something follows. 0 or -ENOMEM. */
static int print_file(FILE *out, const struct interval_cells *c)
{
	size_t width = (size_t)widths[INTERVAL_FILE], share = strlen(c->share);
	char *path = strdup(c->path ? c->path : "-");
	size_t used;

	if (!path)
		return -ENOMEM;
	if (c->path)
		shorten_text(path, width - share - 1);
	used = text_width(path, strlen(path));
	fprintf(out, "  %s", path);
	if (c->path) {
		fprintf(out, " %s", c->share);
		used += 1 + share;
	}
	if (c->texts[INTERVAL_NEWS])
		fprintf(out, "%*s %s", (int)(width - used), "", c->texts[INTERVAL_NEWS]);
	free(path);
	return 0;
}

int print_interval_line(FILE *out, const struct interval_report *i)
{
	int err;

	if (i->number % LINES_PER_HEADING == 0)
		print_headings(out);
	fprintf(out, "%-8s", i->clock);
	for (size_t k = 0; k < INTERVAL_FILE; k++) {
		const char *text = i->cells->texts[k];

		fprintf(out, " %*s", widths[k], text && *text ? text : "-");
	}
	err = print_file(out, i->cells);
	fputc('\n', out);
	return err;
}
