// SPDX-License-Identifier: GPL-2.0
/* The summary table as `strace -c -w` prints it. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "report/render.h"
#include "report/texts.h"
#include "report/waiting_row.h"

/* One table: the calls of one ABI. */
struct table {
	const struct render_options *options;
	const struct syscall_stats *const *rows;
	size_t nr_rows;
	struct column_sums sums;
	unsigned widths[NR_COLUMNS];
};

/* Pads a cell to its column's width; text at the end of a line is not padded. */
static void print_cell(FILE *out, const struct table *t, size_t i, const char *text,
		       const char *style)
{
	const struct column *c = &columns[t->options->columns[i]];
	bool last = i + 1 == t->options->nr_columns;
	int width = (int)t->widths[i];

	if (c->left)
		width = last ? 0 : -width;
	fprintf(out, "%s%s%*s%s", i ? " " : "", style, width, text, *style ? STYLE_OFF : "");
}

static void print_divider(FILE *out, const struct table *t)
{
	for (size_t i = 0; i < t->options->nr_columns; i++) {
		if (i)
			fputc(' ', out);
		for (unsigned j = 0; j < t->widths[i]; j++)
			fputc('-', out);
	}
	fputc('\n', out);
}

static void print_row(FILE *out, const struct table *t, const struct syscall_stats *row)
{
	for (size_t i = 0; i < t->options->nr_columns; i++) {
		enum column_id id = t->options->columns[i];
		bool red = t->options->color && id == COLUMN_ERRORS && row->errors;
		char buf[CELL_SIZE];

		print_cell(out, t, i, column_cell(buf, id, row, &t->sums), red ? STYLE_RED : "");
	}
	fputc('\n', out);
}

static void print_table(FILE *out, struct table *t)
{
	char waiting[WAITING_SIZE];

	for (size_t i = 0; i < t->options->nr_columns; i++)
		t->widths[i] = column_width(t->options->columns[i], t->rows, t->nr_rows, &t->sums);
	for (size_t i = 0; i < t->options->nr_columns; i++)
		print_cell(out, t, i, columns[t->options->columns[i]].heading,
			   style(t->options, STYLE_BOLD));
	fputc('\n', out);
	print_divider(out, t);
	for (size_t i = 0; i < t->nr_rows; i++)
		print_row(out, t, t->rows[i]);
	print_divider(out, t);
	print_row(out, t, &t->sums.total);
	if (!waiting_row_wanted(t->options, &t->sums))
		return;
	for (size_t i = 0; i < t->options->nr_columns; i++)
		print_cell(out, t, i,
			   waiting_cell(waiting, i, t->options, t->rows, t->nr_rows, &t->sums), "");
	fputc('\n', out);
}

const char *estimate_note(char *buf, size_t size, const struct profile *p)
{
	struct syscall_stats sum;
	int len;

	if (p->sample_latency <= 1)
		return NULL;
	profile_sum(&sum, p);
	len = snprintf(
		buf, size,
		"one call in %" PRIu64
		" was timed: times are estimated; standard error of their total: %.6f s (%.1f %%)",
		p->sample_latency, (double)sum.error_of_total_ns / 1e9,
		sum.total_ns ? 100.0 * (double)sum.error_of_total_ns / (double)sum.total_ns : 0);
	if (sum.calls > sum.timed && len > 0 && (size_t)len < size)
		snprintf(buf + len, size - (size_t)len, "; %" PRIu64 " calls have no time",
			 sum.calls - sum.timed);
	return buf;
}

int render_summary(FILE *out, const struct profile *p, const struct render_options *o)
{
	static const char *const modes[NR_ABIS] = { "64 bit", "32 bit", "x32" };
	struct render_rows rows;
	int err = render_rows(&rows, p, o);
	struct table t = { .options = o, .rows = rows.list };
	char note[256];

	for (int abi = 0; !err && abi < NR_ABIS; abi++, t.rows += t.nr_rows) {
		t.nr_rows = rows.nr_of[abi];
		if (!t.nr_rows)
			continue;
		/* The native ABI has no heading, as in strace, even if it is not the only one. */
		if (abi != ABI_64)
			fprintf(out, "System call usage summary for %s mode:\n", modes[abi]);
		column_sums(&t.sums, t.rows, t.nr_rows, p);
		print_table(out, &t);
	}
	free(rows.list);
	if (!err && p->nr_syscalls && estimate_note(note, sizeof(note), p))
		fprintf(out, "%s\n", note);
	return err;
}

static int strace_render(FILE *out, const struct result *r, const struct render_options *o)
{
	struct render_options plain = render_with_columns(o, NULL);

	plain.color = false;
	plain.wall = true;
	return render_summary(out, r->profile, &plain);
}

const struct renderer render_strace = {
	.name = "strace",
	.sections = SECTION_SUMMARY,
	.default_sections = SECTION_SUMMARY,
	.intervals = INTERVALS_AS_TABLES,
	.as_strace = true,
	.render = strace_render,
};
