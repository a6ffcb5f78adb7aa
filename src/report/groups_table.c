// SPDX-License-Identifier: GPL-2.0
/*
 * The table of groups (--by): a row each with its costliest syscalls, the first by -S, and with two
 * keys a row for each group of the first key, with its groups of both below it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "model/abi.h"
#include "model/figures.h"
#include "report/group_rows.h"
#include "report/sheets.h"

/* So many syscalls are named beside a group. */
#define COSTLIEST 3

/* ---- for people ---- */

/* The time of a call, without that of waiting for others where it is known. */
static uint64_t busy_ns_of(const struct group_call *c)
{
	return figure_value_in(SCOPE_GROUP, FIGURE_busy_ns, c);
}

static int by_cost(const void *a, const void *b)
{
	const struct group_call *const *x = a, *const *y = b;

	uint64_t x_ns = busy_ns_of(*x), y_ns = busy_ns_of(*y);

	if (x_ns != y_ns)
		return x_ns < y_ns ? 1 : -1;
	return ((*x)->calls < (*y)->calls) - ((*x)->calls > (*y)->calls);
}

/* Adds "openat 61 %, read 20 %, close 5 %": shares of the time, or of the calls without times. */
static void add_costliest(struct sheet *s, const struct group_row *row)
{
	uint64_t whole = busy_ns_of(&row->sum) ?: row->sum.calls;
	const struct group_stats *all = group_row_calls(row);
	const struct group_call **calls = calloc(all->nr_calls + 1, sizeof(*calls));
	size_t size, nr = all->nr_calls;
	char *text = NULL, name[CELL_SIZE];
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; calls && i < nr; i++)
		calls[i] = &all->calls[i];
	if (calls)
		qsort(calls, nr, sizeof(*calls), by_cost);
	for (size_t i = 0; out && calls && i < nr && i < COSTLIEST; i++) {
		const struct group_call *c = calls[i];
		uint64_t part = busy_ns_of(&row->sum) ? busy_ns_of(c) : c->calls;

		/* What is rounded to nothing is not named. */
		if (i && part < whole / 200)
			break;
		fprintf(out, "%s%s %.0f %%", i ? ", " : "", render_name(name, c->name, c->abi),
			100.0 * (double)part / (double)whole);
	}
	free(calls);
	text = out ? text_of_stream(out, &text) : NULL;
	if (text)
		sheet_escaped(s, text);
	else
		s->failed = true;
	free(text);
}

static void add_figure(struct sheet *s, const struct group_row *row, enum figure_id id,
		       unsigned unknown)
{
	const struct figure *f = &figures[id];
	bool known = figures_known_if(f->needs, row->sum.transfers, row->sum.timed, unknown);

	if (known && !figure_value_in(SCOPE_GROUP, id, &row->sum) && f->unit != UNIT_NS)
		sheet_blank(s);
	else
		sheet_known(s, known, cell_kind_of(id),
			    known ? figure_value_in(SCOPE_GROUP, id, &row->sum) : 0);
}

/* Adds "cc1", "nginx[812]" or "root (0)"; what is below another row is indented. */
static void add_name(struct sheet *s, const struct group_row *row, const struct profile *p,
		     bool below)
{
	char buf[GROUP_NAME_SIZE], id[GROUP_ID_SIZE], name[512], text[600];

	snprintf(text, sizeof(text), "%s%s%s", below ? "  " : "",
		 ESCAPE_TEXT(name, group_row_name(buf, row, p)), group_row_id(id, row, p));
	sheet_escaped(s, text);
}

static void add_row(struct sheet *s, const struct group_row *row, const struct sheet_source *source,
		    uint64_t whole_ns, bool below)
{
	unsigned unknown = source->profile->unknown;
	static const enum figure_id shown[] = { FIGURE_p99_ns, FIGURE_calls, FIGURE_errors,
						FIGURE_bytes };
	bool idle = profile_has_idle(source->profile);
	char buf[32];

	format_fixed(buf, sizeof(buf), 100.0 * (double)busy_ns_of(&row->sum) / (double)whole_ns, 2);
	sheet_text(s, whole_ns ? buf : NULL);
	add_figure(s, row, idle ? FIGURE_busy_ns : FIGURE_total_ns, unknown);
	add_figure(s, row, idle ? FIGURE_idle_ns : FIGURE_run_ns, unknown);
	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		add_figure(s, row, shown[i], unknown);
	add_name(s, row, source->profile, below);
	add_costliest(s, row);
}

/* Says how many rows are not shown, and how many calls are theirs. */
static void add_more(struct sheet *s, const struct group_rows *rows, size_t shown, bool below)
{
	uint64_t calls = 0;
	char text[64];

	if (shown >= rows->nr)
		return;
	for (size_t i = shown; i < rows->nr; i++)
		calls += rows->list[i].sum.calls;
	for (size_t i = 0; i < 4; i++)
		sheet_blank(s);
	sheet_number(s, CELL_COUNT, calls);
	sheet_blank(s);
	sheet_blank(s);
	snprintf(text, sizeof(text), "%sand %zu more", below ? "  " : "", rows->nr - shown);
	sheet_text(s, text);
	sheet_blank(s);
}

static size_t shown_of(const struct group_rows *rows, const struct render_options *o)
{
	return o->top_groups && o->top_groups < rows->nr ? o->top_groups : rows->nr;
}

static void add_below(struct sheet *s, const struct sheet_source *source,
		      const struct group_row *row, uint64_t whole_ns)
{
	struct group_rows rows;
	size_t shown;

	if (group_rows_make(&rows, source->profile, row->group,
			    render_sort(source->options, source->profile)))
		s->failed = true;
	shown = shown_of(&rows, source->options);
	for (size_t i = 0; i < shown; i++)
		add_row(s, &rows.list[i], source, whole_ns, true);
	add_more(s, &rows, shown, true);
	group_rows_free(&rows);
}

void sheet_groups(struct sheet *s, const struct sheet_source *source)
{
	const struct profile *p = source->profile;
	struct group_rows rows;
	struct syscall_stats sum;
	uint64_t whole_ns;
	size_t shown;

	if (profile_has_idle(p))
		SHEET_COLUMNS(s, 0, "% busy", "busy", "waiting");
	else
		SHEET_COLUMNS(s, 0, "% time", "total", "running");
	SHEET_COLUMNS(s, 0, "p99", "calls", "errors", "bytes");
	sheet_column(s, p->by[0] ? group_key(p->by[p->by[1] != 0])->name : "", true);
	sheet_list_column(s, "costliest");
	if (!p->by[0])
		return;
	if (group_rows_make(&rows, p, NULL, render_sort(source->options, p)))
		s->failed = true;
	profile_sum(&sum, p);
	whole_ns = figure_value(FIGURE_busy_ns, &sum);
	shown = shown_of(&rows, source->options);
	for (size_t i = 0; i < shown; i++) {
		add_row(s, &rows.list[i], source, whole_ns, false);
		if (rows.list[i].several)
			add_below(s, source, &rows.list[i], whole_ns);
	}
	add_more(s, &rows, shown, false);
	sheet_drop_blank(s);
	group_rows_free(&rows);
}

/* ---- for programs ---- */

static void add_call(struct sheet *s, const struct group_stats *g, const struct group_call *c,
		     const struct profile *p)
{
	char buf[GROUP_NAME_SIZE];

	sheet_text(s, group_key(p->by[0])->name);
	sheet_text(s, p->by[1] ? group_key(p->by[1])->name : NULL);
	sheet_number(s, CELL_COUNT, g->id);
	sheet_known(s, g->parent, CELL_COUNT, g->parent);
	sheet_code(s, group_name(buf, g, p->by[p->by[1] != 0]));
	sheet_code(s, p->by[1] ? group_name(buf, g, p->by[0]) : NULL);
	sheet_known(s, g->pid, CELL_COUNT, (uint64_t)g->pid);
	sheet_known(s, g->tid, CELL_COUNT, (uint64_t)g->tid);
	sheet_known(s, g->uid >= 0, CELL_COUNT, (uint64_t)g->uid);
	sheet_code(s, g->cgroup);
	sheet_code(s, g->exe);
	sheet_code(s, c->name);
	sheet_text(s, abi_name(c->abi));
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figures[id].scope & SCOPE_GROUP)
			sheet_known(s,
				    figures_known_if(figures[id].needs, c->transfers, c->timed,
						     p->unknown),
				    cell_kind_of(id), figure_value_in(SCOPE_GROUP, id, c));
}

void sheet_group_calls(struct sheet *s, const struct sheet_source *source)
{
	const struct profile *p = source->profile;

	SHEET_COLUMNS(s, 13, "by", "and_by", "id", "parent", "name", "parent_name", "pid", "tid",
		      "uid", "cgroup", "exe", "syscall", "abi");
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figures[id].scope & SCOPE_GROUP)
			sheet_column(s, figures[id].key, false);
	for (size_t i = 0; p->by[0] && i < p->nr_groups; i++)
		for (size_t c = 0; c < p->groups[i].nr_calls; c++)
			add_call(s, &p->groups[i], &p->groups[i].calls[c], p);
}
