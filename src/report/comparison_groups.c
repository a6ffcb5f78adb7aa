// SPDX-License-Identifier: GPL-2.0
/* The tables of a comparison that say who makes the calls (--by). */
#include "report/comparison_cells.h"

/* For people so many groups are shown. */
#define MAX_GROUPS 10

static void add_keys(struct sheet *s, const struct comparison *c)
{
	for (size_t k = 0; k < MAX_GROUP_KEYS && c->by[k]; k++)
		sheet_column(s, group_key(c->by[k])->name, true);
}

static void add_names(struct sheet *s, const struct compared_group *g)
{
	for (size_t k = 0; k < MAX_GROUP_KEYS && g->names[k]; k++)
		sheet_code(s, g->names[k]);
}

/* Says how many groups are not shown. */
static void add_more(struct sheet *s, size_t nr)
{
	char text[40];

	snprintf(text, sizeof(text), "and %zu more", nr);
	sheet_text(s, text);
	for (size_t i = 1; i < s->nr_columns; i++)
		sheet_blank(s);
}

void sheet_compared_groups(struct sheet *s, const struct comparison *c)
{
	if (!c->nr_groups)
		return;
	add_keys(s, c);
	sheet_column(s, "of", true);
	SHEET_COLUMNS(s, 0, "calls", "ratio", "errors", "bytes", "time", "ratio", "p50", "p99");
	for (size_t g = 0; g < c->nr_groups && g < MAX_GROUPS; g++)
		for (size_t i = 0; i < c->nr_sides; i++) {
			const struct compared *of[NR_COMPARED];

			for (enum compared_figure f = 0; f < NR_COMPARED; f++)
				of[f] = &compared_group_cells(c, &c->groups[g], f)[i];
			add_names(s, &c->groups[g]);
			sheet_letter(s, i);
			sheet_mean(s, CELL_COUNT, of[COMPARED_CALLS]);
			sheet_ratio(s, &of[COMPARED_CALLS]->difference);
			sheet_mean(s, CELL_COUNT, of[COMPARED_ERRORS]);
			sheet_mean(s, CELL_BYTES, of[COMPARED_BYTES]);
			sheet_mean(s, CELL_NS, of[COMPARED_TIME]);
			sheet_ratio(s, &of[COMPARED_TIME]->difference);
			sheet_mean(s, CELL_NS, of[COMPARED_P50]);
			sheet_mean(s, CELL_NS, of[COMPARED_P99]);
		}
	if (c->nr_groups > MAX_GROUPS)
		add_more(s, c->nr_groups - MAX_GROUPS);
}

void sheet_compared_group_lines(struct sheet *s, const struct comparison *c)
{
	if (!c->nr_groups)
		return;
	add_keys(s, c);
	SHEET_COLUMNS(s, 3, "figure", "side", "compared", "runs", COMPARED_COLUMNS, "failures");
	for (size_t g = 0; g < c->nr_groups; g++)
		for (enum compared_figure f = 0; f < NR_COMPARED; f++)
			for (size_t i = 0; i < c->nr_sides; i++) {
				const struct compared *of =
					&compared_group_cells(c, &c->groups[g], f)[i];

				add_names(s, &c->groups[g]);
				sheet_text(s, figures[compared_figures[f]].key);
				sheet_letter(s, i);
				sheet_code(s, c->sides[i].name);
				sheet_number(s, CELL_COUNT, of->spread.nr);
				sheet_compared(s, FOR_PROGRAMS, CELL_COUNT, of);
				sheet_failures(s, &c->sides[i]);
			}
}
