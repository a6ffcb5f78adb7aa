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
#include "report/render_options.h"
#include "report/sections.h"
#include "report/texts.h"

/* ---- cells ---- */

/* Prints three digits that are not leading zeroes: "26.7", "0.00103". */
static const char *format_ratio(char *buf, size_t size, double value)
{
	int digits;

	if (isinf(value))
		return "inf";
	digits = value > 0 ? 2 - (int)floor(log10(value)) : 0;
	return format_fixed(buf, size, value, digits < 0 ? 0 : digits > 9 ? 9 : digits);
}

/* Adds a mean or a deviation, seldom a whole number. Programs get base units. */
static void add_known(struct sheet *s, enum audience audience, bool known, enum cell_kind kind,
		      double value)
{
	int decimals = value == floor(value) ? 0 : audience == FOR_PEOPLE ? 1 : 3;
	char buf[340]; /* It holds a double of 1e308. */

	if (!known)
		sheet_none(s);
	else if (audience == FOR_PEOPLE && kind != CELL_COUNT)
		sheet_number(s, kind, rounded(value));
	else
		sheet_text(s, format_fixed(buf, sizeof(buf), value, decimals));
}

static void add_mean(struct sheet *s, enum cell_kind kind, const struct compared *c)
{
	add_known(s, FOR_PEOPLE, c->spread.nr, kind, c->spread.mean);
}

static void add_ratio(struct sheet *s, const struct difference *d)
{
	char buf[40];

	sheet_text(s, isnan(d->ratio) ? NULL : format_ratio(buf, sizeof(buf), d->ratio));
}

static void add_p(struct sheet *s, const struct difference *d, enum audience audience)
{
	char buf[40];

	if (isnan(d->p))
		sheet_none(s);
	else if (audience == FOR_PEOPLE && d->p < 0.0001)
		sheet_text(s, "<0.0001");
	else
		sheet_text(s, format_fixed(buf, sizeof(buf), d->p, audience == FOR_PEOPLE ? 4 : 9));
}

/* Adds the spread, and the difference from the first side. */
static void add_compared(struct sheet *s, enum audience audience, enum cell_kind kind,
			 const struct compared *c)
{
	const struct spread *spread = &c->spread;

	add_known(s, audience, spread->nr, kind, spread->mean);
	add_known(s, audience, spread->nr > 1, kind, spread->deviation);
	add_known(s, audience, spread->nr > 1, kind, spread->min);
	add_known(s, audience, spread->nr > 1, kind, spread->max);
	add_ratio(s, &c->difference);
	add_p(s, &c->difference, audience);
	sheet_text(s, c->difference.kind ? difference_name(c->difference.kind) : NULL);
}

#define COMPARED_COLUMNS "mean", "deviation", "min", "max", "ratio", "p", "difference"

static void add_letter(struct sheet *s, size_t i)
{
	sheet_text(s, (const char[]){ side_letter(i), '\0' });
}

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
	add_letter(s, i);
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

#define FAILURE_SIZE 32

/* Prints "exit status 3" or "signal 9". Returns buf. */
static const char *failure_name(char buf[FAILURE_SIZE], const struct failure *failure)
{
	if (WIFSIGNALED(failure->status))
		snprintf(buf, FAILURE_SIZE, "signal %d", WTERMSIG(failure->status));
	else
		snprintf(buf, FAILURE_SIZE, "exit status %d", WEXITSTATUS(failure->status));
	return buf;
}

static void print_failure(FILE *out, const struct side *side, const struct failure *f)
{
	char how[FAILURE_SIZE];

	fputs(failure_name(how, f), out);
	if (f->nr_runs)
		fprintf(out, " in %zu of %zu runs", f->nr_runs, side->nr_runs);
	if (f->nr_bare)
		fprintf(out, "%s in %zu of %zu %swithout iotrace", f->nr_runs ? " and" : "",
			f->nr_bare, side->nr_bare, f->nr_runs ? "" : "runs ");
}

char *failures_text(const struct side *side)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; out && i < side->nr_failures; i++) {
		if (i)
			fputs("; ", out);
		print_failure(out, side, &side->failures[i]);
	}
	return text_of_stream(out, &text);
}

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

			add_letter(s, i);
			sheet_code(s, side->name);
			sheet_text(s, failure_name(how, failure));
			add_part(s, failure->nr_runs, side->nr_runs);
			add_part(s, failure->nr_bare, side->nr_bare);
		}
	}
}

/* Adds, for programs, all of a side's failures in one cell. */
static void add_failures(struct sheet *s, const struct side *side)
{
	char *text = failures_text(side);

	s->failed = s->failed || !text;
	sheet_text(s, text && *text ? text : NULL);
	free(text);
}

static void fill_side_lines(struct sheet *s, const struct comparison *c)
{
	SHEET_COLUMNS(s, 2, SIDE_COLUMNS, "command", "failures");
	for (size_t i = 0; i < c->nr_sides; i++) {
		add_side(s, c, i);
		sheet_words(s, command_of(&c->sides[i]));
		add_failures(s, &c->sides[i]);
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
		add_letter(s, i);
		sheet_code(s, c->sides[i].name);
		add_mean(s, CELL_NS, &walls[i]);
		add_known(s, FOR_PEOPLE, walls[i].spread.nr > 1, CELL_NS,
			  walls[i].spread.deviation);
		add_ratio(s, &walls[i].difference);
		add_mean(s, CELL_COUNT, &total->cells[COMPARED_CALLS][i]);
		add_ratio(s, &total->cells[COMPARED_CALLS][i].difference);
		add_mean(s, CELL_NS, &total->cells[COMPARED_TIME][i]);
		add_ratio(s, &total->cells[COMPARED_TIME][i].difference);
	}
}

/* ---- a row for each syscall of each side ---- */

static void add_side_of_row(struct sheet *s, const struct comparison_row *row, size_t i)
{
	add_name(s, row);
	add_letter(s, i);
	add_mean(s, CELL_COUNT, &row->cells[COMPARED_CALLS][i]);
	add_ratio(s, &row->cells[COMPARED_CALLS][i].difference);
	add_mean(s, CELL_COUNT, &row->cells[COMPARED_ERRORS][i]);
	add_mean(s, CELL_BYTES, &row->cells[COMPARED_BYTES][i]);
	add_mean(s, CELL_NS, &row->cells[COMPARED_TIME][i]);
	add_ratio(s, &row->cells[COMPARED_TIME][i].difference);
	add_mean(s, CELL_NS, &row->cells[COMPARED_P50][i]);
	add_mean(s, CELL_NS, &row->cells[COMPARED_P99][i]);
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
		add_letter(s, i);
		add_compared(s, FOR_PEOPLE, CELL_NS, &walls[i]);
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
				add_letter(s, i);
				add_compared(s, FOR_PEOPLE, cell_kind_of(compared_figures[f]),
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
			add_letter(s, side);
			add_known(s, FOR_PEOPLE, true, CELL_COUNT, round(cell->spread.mean));
			add_ratio(s, &cell->difference);
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
			add_letter(s, side);
			sheet_code(s, c->sides[side].name);
			sheet_number(s, CELL_COUNT, site->cells[side].spread.nr);
			add_compared(s, FOR_PROGRAMS, CELL_COUNT, &site->cells[side]);
			add_failures(s, &c->sides[side]);
		}
}

/* ---- for programs ---- */

static void add_line(struct sheet *s, const struct comparison *c, const struct comparison_row *row,
		     const char *figure, const struct compared *sides, size_t i)
{
	sheet_code(s, row ? row->name : NULL);
	sheet_text(s, row && !row_is_total(row) ? abi_name(row->abi) : NULL);
	sheet_text(s, figure);
	add_letter(s, i);
	sheet_code(s, c->sides[i].name);
	sheet_number(s, CELL_COUNT, sides[i].spread.nr);
	add_compared(s, FOR_PROGRAMS, CELL_COUNT, &sides[i]);
	add_failures(s, &c->sides[i]);
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
	{ COMPARISON_STACKS, FOR_PEOPLE, "Where the calls come from that differ, by samples",
	  fill_sites },
	{ COMPARISON_FIGURES, FOR_PEOPLE, "Spread over the runs, and difference from A",
	  fill_spreads },
	{ COMPARISON_SIDES, FOR_PROGRAMS, "sides", fill_side_lines },
	{ COMPARISON_SUMMARY | COMPARISON_CALLS | COMPARISON_FIGURES, FOR_PROGRAMS, "figures",
	  fill_lines },
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
