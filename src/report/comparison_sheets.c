// SPDX-License-Identifier: GPL-2.0
/* Makes the tables of a comparison. A new table is a function and a row in kinds[]. */
#include "report/sheets.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "base/text.h"
#include "model/abi.h"
#include "model/provenance.h"
#include "report/comparison_cells.h"
#include "report/render_options.h"
#include "report/sections.h"
#include "report/texts.h"

static void add_name(struct sheet *s, const struct comparison_row *row)
{
	char buf[CELL_SIZE];

	if (row_is_total(row))
		sheet_text(s, row->name);
	else
		sheet_escaped(s, render_name(buf, row->name, row->abi));
}

/* ---- what is compared ---- */

static char *const *command_of(const struct side *side)
{
	return side->nr_runs ? profile_provenance(side->runs[0])->command : NULL;
}

/* Adds, for people, the command of a side that has another name. */
static void add_command(struct sheet *s, const struct side *side)
{
	char *const *words = command_of(side);
	char *command = words ? quote_words(words) : NULL;
	char *name = escape_text_dup(side->name, strlen(side->name));

	if (!name || (words && !command))
		s->failed = true;
	else if (!words || !strcmp(command, name))
		sheet_blank(s);
	else
		sheet_escaped(s, command);
	free(command);
	free(name);
}

static void add_side(struct sheet *s, const struct comparison *c, size_t i)
{
	sheet_letter(s, i);
	sheet_code(s, c->sides[i].name);
	sheet_number(s, CELL_COUNT, c->sides[i].nr_runs);
	sheet_number(s, CELL_COUNT, c->sides[i].nr_bare);
}

#define SIDE_COLUMNS "", "compared", "runs", "runs without iotrace"

static void fill_sides(struct sheet *s, const struct comparison *c)
{
	SHEET_COLUMNS(s, 2, SIDE_COLUMNS);
	sheet_column(s, "command", true);
	for (size_t i = 0; i < c->nr_sides; i++) {
		add_side(s, c, i);
		add_command(s, &c->sides[i]);
	}
	sheet_drop_blank(s);
}

/* ---- commands that failed ---- */

/* Adds "2 of 3". */
static void add_part(struct sheet *s, size_t nr, size_t of)
{
	char buf[48];

	snprintf(buf, sizeof(buf), "%zu of %zu", nr, of);
	sheet_text(s, of ? buf : NULL);
}

static void fill_failures(struct sheet *s, const struct comparison *c)
{
	char how[FAILURE_SIZE];

	SHEET_COLUMNS(s, 3, "", "compared", "failed with", "runs", "runs without iotrace");
	for (size_t i = 0; i < c->nr_sides; i++) {
		const struct side *side = &c->sides[i];

		for (size_t f = 0; f < side->nr_failures; f++) {
			const struct failure *failure = &side->failures[f];

			sheet_letter(s, i);
			sheet_code(s, side->name);
			sheet_text(s, failure_name(how, failure));
			add_part(s, failure->nr_runs, side->nr_runs);
			add_part(s, failure->nr_bare, side->nr_bare);
		}
	}
}

static void fill_side_lines(struct sheet *s, const struct comparison *c)
{
	SHEET_COLUMNS(s, 2, SIDE_COLUMNS, "command", "failures");
	for (size_t i = 0; i < c->nr_sides; i++) {
		add_side(s, c, i);
		sheet_words(s, command_of(&c->sides[i]));
		sheet_failures(s, &c->sides[i]);
	}
}

/* ---- circumstances ---- */

/* The circumstances that figures depend on. */
enum circumstance { STANDARD_OUTPUT, BACKEND, VERSION, OPTIONS, KERNEL, MACHINE, NR_CIRCUMSTANCES };

static void print_circumstance(FILE *out, enum circumstance which, const struct profile *p)
{
	const struct provenance *v = profile_provenance(p);

	switch (which) {
	case STANDARD_OUTPUT:
		fputs(v->stdout_path ? v->stdout_path : "?", out);
		if (v->stdout_fstype)
			fprintf(out, " (%s)", v->stdout_fstype);
		break;
	case BACKEND:
		fputs(p->backend ? p->backend : "", out);
		break;
	case VERSION:
		fputs(v->version ? v->version : "", out);
		break;
	case OPTIONS:
		for (size_t i = 0; v->options && v->options[i]; i++)
			fprintf(out, "%s%s", i ? " " : "", v->options[i]);
		break;
	case KERNEL:
		fputs(v->kernel ? v->kernel : "", out);
		break;
	default:
		fputs(v->machine ? v->machine : "?", out);
		if (v->cpu_model)
			fprintf(out, ", %s", v->cpu_model);
		fprintf(out, ", %" PRIu64 " CPUs", v->cpus);
	}
}

/* The circumstance of a side; "": it is not known. To be freed; NULL: no memory. */
static char *circumstance_of(const struct side *side, enum circumstance which)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out && side->nr_runs)
		print_circumstance(out, which, side->runs[0]);
	return text_of_stream(out, &text);
}

/* Adds a row unless all sides have the same; standard output is always told. */
static void add_circumstance(struct sheet *s, const struct comparison *c, enum circumstance which)
{
	static const char *const names[] = { "standard output", "backend", "iotrace",
					     "options",		"kernel",  "machine" };
	char *texts[MAX_SIDES] = { NULL };
	bool differ = which == STANDARD_OUTPUT;

	for (size_t i = 0; i < c->nr_sides; i++) {
		texts[i] = circumstance_of(&c->sides[i], which);
		s->failed = s->failed || !texts[i];
		differ = differ || (!s->failed && strcmp(texts[i], texts[0]) != 0);
	}
	if (differ && !s->failed)
		sheet_text(s, names[which]);
	for (size_t i = 0; i < c->nr_sides; i++) {
		if (differ && !s->failed)
			sheet_code(s, *texts[i] ? texts[i] : NULL);
		free(texts[i]);
	}
}

static void fill_circumstances(struct sheet *s, const struct comparison *c)
{
	static const char *const letters[MAX_SIDES] = {
		"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M",
		"N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z",
	};

	sheet_column(s, "", true);
	for (size_t i = 0; i < c->nr_sides; i++)
		sheet_column(s, letters[i], true);
	for (enum circumstance i = 0; i < NR_CIRCUMSTANCES; i++)
		add_circumstance(s, c, i);
}

/* ---- a row for each side ---- */

static void fill_summary(struct sheet *s, const struct comparison *c)
{
	const struct compared *walls = comparison_walls(c);
	const struct comparison_row *total = &c->rows[c->nr_rows - 1];

	SHEET_COLUMNS(s, 2, "", "compared",
		      comparison_has_bare(c) ? "wall time" : "traced wall time", "deviation",
		      "ratio", "calls", "ratio", "time in calls", "ratio");
	for (size_t i = 0; i < c->nr_sides; i++) {
		sheet_letter(s, i);
		sheet_code(s, c->sides[i].name);
		sheet_mean(s, CELL_NS, &walls[i]);
		sheet_real(s, FOR_PEOPLE, walls[i].spread.nr > 1, CELL_NS,
			   walls[i].spread.deviation);
		sheet_ratio(s, &walls[i].difference);
		sheet_mean(s, CELL_COUNT, &total->cells[COMPARED_CALLS][i]);
		sheet_ratio(s, &total->cells[COMPARED_CALLS][i].difference);
		sheet_mean(s, CELL_NS, &total->cells[COMPARED_TIME][i]);
		sheet_ratio(s, &total->cells[COMPARED_TIME][i].difference);
	}
}

/* ---- a row for each syscall of each side ---- */

static void add_side_of_row(struct sheet *s, const struct comparison_row *row, size_t i)
{
	add_name(s, row);
	sheet_letter(s, i);
	sheet_mean(s, CELL_COUNT, &row->cells[COMPARED_CALLS][i]);
	sheet_ratio(s, &row->cells[COMPARED_CALLS][i].difference);
	sheet_mean(s, CELL_COUNT, &row->cells[COMPARED_ERRORS][i]);
	sheet_mean(s, CELL_BYTES, &row->cells[COMPARED_BYTES][i]);
	sheet_mean(s, CELL_NS, &row->cells[COMPARED_TIME][i]);
	sheet_ratio(s, &row->cells[COMPARED_TIME][i].difference);
	sheet_mean(s, CELL_NS, &row->cells[COMPARED_P50][i]);
	sheet_mean(s, CELL_NS, &row->cells[COMPARED_P99][i]);
}

static void fill_calls(struct sheet *s, const struct comparison *c)
{
	SHEET_COLUMNS(s, 2, "syscall", "of", "calls", "ratio", "errors", "bytes", "time", "ratio",
		      "p50", "p99");
	for (size_t r = 0; r < c->nr_rows; r++)
		for (size_t i = 0; i < c->nr_sides; i++)
			add_side_of_row(s, &c->rows[r], i);
}

/* ---- each figure's spread and difference ---- */

bool comparison_has_value(const struct comparison *c, const struct compared *sides)
{
	for (size_t i = 0; i < c->nr_sides; i++)
		if (sides[i].spread.nr && sides[i].spread.max > 0)
			return true;
	return false;
}

static void add_wall_spreads(struct sheet *s, const struct comparison *c, const char *what,
			     const struct compared *walls)
{
	for (size_t i = 0; comparison_has_value(c, walls) && i < c->nr_sides; i++) {
		sheet_text(s, "wall time");
		sheet_text(s, what);
		sheet_letter(s, i);
		sheet_compared(s, FOR_PEOPLE, CELL_NS, &walls[i]);
	}
}

static void fill_spreads(struct sheet *s, const struct comparison *c)
{
	static const char *const headings[NR_COMPARED] = { "calls", "bytes", "errors",
							   "time",  "p50",   "p99" };

	SHEET_COLUMNS(s, 3, "syscall", "figure", "of", COMPARED_COLUMNS);
	add_wall_spreads(s, c, "bare", c->bare);
	add_wall_spreads(s, c, "traced", c->traced);
	for (size_t r = 0; r < c->nr_rows; r++)
		for (int f = 0; f < NR_COMPARED; f++)
			for (size_t i = 0;
			     comparison_has_value(c, c->rows[r].cells[f]) && i < c->nr_sides; i++) {
				add_name(s, &c->rows[r]);
				sheet_text(s, headings[f]);
				sheet_letter(s, i);
				sheet_compared(s, FOR_PEOPLE, cell_kind_of(compared_figures[f]),
					       &c->rows[r].cells[f][i]);
			}
}

/* ---- where the calls come from ---- */

/* For people so many sites are shown, if their calls changed by this part of a side's calls. */
#define MAX_SITES 10
#define MIN_PART  0.01

/* Returns the calls of the side that has most of them. */
static double most_calls(const struct comparison *c)
{
	double most = 0;

	for (size_t side = 0; side < c->nr_sides; side++) {
		double calls = 0;

		for (size_t i = 0; i < c->nr_sites; i++)
			calls += c->sites[i].cells[side].spread.mean;
		most = fmax(most, calls);
	}
	return most;
}

static void add_site(struct sheet *s, const struct compared_site *site)
{
	char *text = compared_site_text(site);
	char name[CELL_SIZE];

	sheet_escaped(s, render_name(name, site->syscall, site->abi));
	sheet_escaped(s, text);
	s->failed = s->failed || !text;
	free(text);
}

static void fill_sites(struct sheet *s, const struct comparison *c)
{
	double least = MIN_PART * most_calls(c);

	SHEET_COLUMNS(s, 2, "syscall", "from");
	SHEET_COLUMNS(s, 1, "of", "calls", "ratio");
	sheet_column(s, "difference", true);
	for (size_t i = 0; i < c->nr_sites && i < MAX_SITES; i++) {
		const struct compared_site *site = &c->sites[i];
		bool changed = compared_site_change(site, c->nr_sides) >= least;

		for (size_t side = 0; changed && side < c->nr_sides; side++) {
			const struct compared *cell = &site->cells[side];

			add_site(s, site);
			sheet_letter(s, side);
			sheet_real(s, FOR_PEOPLE, true, CELL_COUNT, round(cell->spread.mean));
			sheet_ratio(s, &cell->difference);
			sheet_text(s, cell->difference.kind ? difference_name(cell->difference.kind)
							    : NULL);
		}
	}
}

static void fill_site_lines(struct sheet *s, const struct comparison *c)
{
	SHEET_COLUMNS(s, 5, "syscall", "abi", "from", "side", "compared", "runs", COMPARED_COLUMNS,
		      "failures");
	for (size_t i = 0; i < c->nr_sites; i++)
		for (size_t side = 0; side < c->nr_sides; side++) {
			const struct compared_site *site = &c->sites[i];
			char *text = compared_site_text(site);

			sheet_code(s, site->syscall);
			sheet_text(s, abi_name(site->abi));
			sheet_escaped(s, text);
			s->failed = s->failed || !text;
			free(text);
			sheet_letter(s, side);
			sheet_code(s, c->sides[side].name);
			sheet_number(s, CELL_COUNT, site->cells[side].spread.nr);
			sheet_compared(s, FOR_PROGRAMS, CELL_COUNT, &site->cells[side]);
			sheet_failures(s, &c->sides[side]);
		}
}

/* ---- for programs ---- */

static void add_line(struct sheet *s, const struct comparison *c, const struct comparison_row *row,
		     const char *figure, const struct compared *sides, size_t i)
{
	sheet_code(s, row ? row->name : NULL);
	sheet_text(s, row && !row_is_total(row) ? abi_name(row->abi) : NULL);
	sheet_text(s, figure);
	sheet_letter(s, i);
	sheet_code(s, c->sides[i].name);
	sheet_number(s, CELL_COUNT, sides[i].spread.nr);
	sheet_compared(s, FOR_PROGRAMS, CELL_COUNT, &sides[i]);
	sheet_failures(s, &c->sides[i]);
}

static void fill_lines(struct sheet *s, const struct comparison *c)
{
	SHEET_COLUMNS(s, 5, "syscall", "abi", "figure", "side", "compared", "runs",
		      COMPARED_COLUMNS, "failures");
	for (size_t i = 0; i < c->nr_sides; i++)
		add_line(s, c, NULL, "wall_ns", c->bare, i);
	for (size_t i = 0; i < c->nr_sides; i++)
		add_line(s, c, NULL, "traced_wall_ns", c->traced, i);
	for (size_t r = 0; r < c->nr_rows; r++)
		for (int f = 0; f < NR_COMPARED; f++)
			for (size_t i = 0; i < c->nr_sides; i++)
				add_line(s, c, &c->rows[r], figures[compared_figures[f]].key,
					 c->rows[r].cells[f], i);
}

/* ---- the document ---- */

static const struct {
	unsigned section;
	enum audience audience;
	const char *title;
	void (*fill)(struct sheet *s, const struct comparison *c);
} kinds[] = {
	{ COMPARISON_SIDES, FOR_PEOPLE, "Compared", fill_sides },
	{ COMPARISON_ALL, FOR_PEOPLE, "Commands that failed", fill_failures },
	{ COMPARISON_SIDES, FOR_PEOPLE, "Circumstances that differ, and standard output",
	  fill_circumstances },
	{ COMPARISON_SUMMARY, FOR_PEOPLE, "Summary", fill_summary },
	{ COMPARISON_CALLS, FOR_PEOPLE, "System calls", fill_calls },
	{ COMPARISON_GROUPS, FOR_PEOPLE, "Who makes the calls", sheet_compared_groups },
	{ COMPARISON_STACKS, FOR_PEOPLE, "Where the calls come from that differ, by samples",
	  fill_sites },
	{ COMPARISON_FIGURES, FOR_PEOPLE, "Spread over the runs, and difference from A",
	  fill_spreads },
	{ COMPARISON_SIDES, FOR_PROGRAMS, "sides", fill_side_lines },
	{ COMPARISON_SUMMARY | COMPARISON_CALLS | COMPARISON_FIGURES, FOR_PROGRAMS, "figures",
	  fill_lines },
	{ COMPARISON_GROUPS, FOR_PROGRAMS, "groups", sheet_compared_group_lines },
	{ COMPARISON_STACKS, FOR_PROGRAMS, "stacks", fill_site_lines },
};

int document_of_comparison(struct document *d, const struct comparison *c, unsigned sections,
			   enum audience audience)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct sheet *s;

		if (kinds[i].audience != audience || !(kinds[i].section & sections))
			continue;
		s = document_add(d, kinds[i].title);
		if (!s)
			return -ENOMEM;
		kinds[i].fill(s, c);
		if (s->failed)
			return -ENOMEM;
		if (!s->nr_cells)
			document_drop(d);
	}
	for (size_t i = 0; i < d->nr_sheets; i++)
		d->sheets[i].titled = d->nr_sheets > 1;
	return 0;
}
