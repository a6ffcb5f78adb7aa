// SPDX-License-Identifier: GPL-2.0
/*
 * The table of sites: where in the code the calls of each syscall on each file come from. The
 * calls are counted exactly; samples say which part of them a site makes.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/abi.h"
#include "model/code.h"
#include "model/sampled_calls.h"
#include "report/sheets.h"
#include "report/texts.h"

/* For people so many are shown. */
#define MAX_SITES 20

/* A site of one syscall on one file. */
struct row {
	const struct sampled_call *call;
	struct site_group group;
};

struct rows {
	struct sampled_calls calls;
	struct row *list;
	size_t nr;
};

static void free_rows(struct rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		free(rows->list[i].group.frames);
	free(rows->list);
	sampled_calls_free(&rows->calls);
}

/* Adds the sites of a call. Returns 0 or -ENOMEM. */
static int add_call(struct rows *rows, const struct stacks *stacks, const struct sampled_call *call,
		    bool whole)
{
	struct site_group *groups = NULL;
	struct row *longer = NULL;
	size_t nr =
		site_groups_make(&groups, stacks, call->sites, call->nr_sites, whole, WEIGHT_CALLS);

	if (nr == SIZE_MAX)
		return -ENOMEM;
	longer = reallocarray(rows->list, rows->nr + nr + 1, sizeof(*longer));
	if (!longer) {
		site_groups_free(groups, nr);
		return -ENOMEM;
	}
	rows->list = longer;
	for (size_t i = 0; i < nr; i++)
		rows->list[rows->nr++] = (struct row){ call, groups[i] };
	free(groups); /* The rows have their frames now. */
	return 0;
}

static int by_calls(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	return (b->group.calls > a->group.calls) - (b->group.calls < a->group.calls);
}

/* Collects all sites, those with most calls first. Returns 0 or -ENOMEM. */
static int collect(struct rows *rows, const struct result *r, bool whole)
{
	int err = sampled_calls_collect(&rows->calls, r);

	for (size_t i = 0; !err && i < rows->calls.nr; i++)
		err = add_call(rows, &r->profile->stacks, &rows->calls.list[i], whole);
	if (!err && rows->nr)
		qsort(rows->list, rows->nr, sizeof(*rows->list), by_calls);
	return err;
}

/* Makes "write_line() lines.c:17 ← main() lines.c:66", or for programs "main;write_line". */
static char *frames_of(const struct stacks *stacks, const struct row *row, enum audience audience)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (row->group.interpreter)
		fputs(row->group.interpreter->name, out);
	for (size_t i = 0; i < row->group.nr; i++) {
		size_t at = audience == FOR_PEOPLE ? i : row->group.nr - 1 - i;
		char *frame = frame_text(&stacks->frames[row->group.frames[at]]);

		if (i)
			fputs(audience == FOR_PEOPLE ? SITE_ARROW : "; ", out);
		fputs(frame ? frame : "?", out);
		free(frame);
	}
	return text_of_stream(out, &text);
}

static void add_frames(struct sheet *s, const struct stacks *stacks, const struct row *row,
		       enum audience audience)
{
	char *frames = frames_of(stacks, row, audience);

	sheet_escaped(s, frames);
	s->failed = s->failed || !frames;
	free(frames);
}

void sheet_sites(struct sheet *s, const struct sheet_source *source)
{
	struct rows rows = { .list = NULL };
	char name[CELL_SIZE];

	if (collect(&rows, source->result, source->options->whole_stacks))
		s->failed = true;
	sheet_column(s, "% of the calls", false);
	sheet_column(s, "calls", false);
	SHEET_COLUMNS(s, 3, "syscall", "file", "from");
	for (size_t i = 0; i < rows.nr && i < MAX_SITES; i++) {
		const struct row *row = &rows.list[i];

		sheet_number(s, CELL_SHARE, (uint64_t)(10000 * row->group.share + 0.5));
		sheet_number(s, CELL_COUNT, (uint64_t)(row->group.calls + 0.5));
		sheet_escaped(s, render_name(name, row->call->name, row->call->abi));
		sheet_code(s, row->call->path ? row->call->path : "");
		add_frames(s, &source->profile->stacks, row, FOR_PEOPLE);
	}
	free_rows(&rows);
}

void sheet_site_calls(struct sheet *s, const struct sheet_source *source)
{
	bool times = !(source->profile->unknown & UNKNOWN_LATENCY);
	struct rows rows = { .list = NULL };

	if (collect(&rows, source->result, source->options->whole_stacks))
		s->failed = true;
	SHEET_COLUMNS(s, 3, "path", "syscall", "abi", "calls", "total_ns", "samples");
	SHEET_COLUMNS(s, 1, "stack", "cut");
	sheet_column(s, "calls_error", false);
	for (size_t i = 0; i < rows.nr; i++) {
		const struct row *row = &rows.list[i];

		sheet_code(s, row->call->path ? row->call->path : "");
		sheet_code(s, row->call->name);
		sheet_text(s, abi_name(row->call->abi));
		sheet_number(s, CELL_COUNT, (uint64_t)(row->group.calls + 0.5));
		sheet_known(s, times, CELL_NS, (uint64_t)(row->group.ns + 0.5));
		sheet_number(s, CELL_COUNT, row->group.samples);
		add_frames(s, &source->profile->stacks, row, FOR_PROGRAMS);
		sheet_number(s, CELL_COUNT, row->group.cut);
		sheet_number(s, CELL_COUNT,
			     (uint64_t)((double)row->call->calls * row->group.share_error + 0.5));
	}
	free_rows(&rows);
}
