// SPDX-License-Identifier: GPL-2.0
/*
 * CSV as RFC 4180 and Python have it, and TSV as IANA has it: one section, one table, a line of
 * headings that are JSON's keys, plain numbers in ns and bytes, nothing for what is not known. A
 * run over time (--interval) has the section's rows for each interval, whose end is the first
 * column.
 *
 * Text from elsewhere comes escaped (\n, \xff, \\), so a field never holds a line break or a tab. A
 * first character that a spreadsheet would take for a formula is escaped in the same notation:
 * "=1+1" is \x3d1+1.
 */
#include <string.h>

#include "report/render.h"

struct delimited {
	char delimiter;
	bool quotes;	      /* A field may be quoted. Otherwise nothing in it is special. */
	const char *formulas; /* First characters of a field that are escaped. */
};

static const struct delimited csv = { ',', true, "=+-@" };
/* A spreadsheet reads a quote at the beginning of a TSV field as CSV does. */
static const struct delimited tsv = { '\t', false, "=+-@\"" };

static void print_field(FILE *out, const struct delimited *d, const char *text, bool foreign)
{
	bool quote = d->quotes && (*text == ' ' || strpbrk(text, ",\"\r\n"));

	if (quote)
		fputc('"', out);
	if (foreign && *text && strchr(d->formulas, *text))
		fprintf(out, "\\x%02x", (unsigned char)*text++);
	for (; *text; text++) {
		if (quote && *text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	if (quote)
		fputc('"', out);
}

static void draw(FILE *out, const struct sheet *s, const struct delimited *d)
{
	/* Python, awk and cut agree on this line end. */
	for (size_t i = 0; i < s->nr_columns; i++)
		fprintf(out, "%s%c", s->columns[i].heading,
			i + 1 < s->nr_columns ? d->delimiter : '\n');
	for (size_t i = 0; i < s->nr_cells; i++) {
		const struct cell *c = &s->cells[i];
		char buf[32];

		print_field(out, d, cell_text(c, FOR_PROGRAMS, buf, sizeof(buf)),
			    c->kind == CELL_CODE);
		fputc((i + 1) % s->nr_columns ? d->delimiter : '\n', out);
	}
}

static int draw_csv(FILE *out, const struct sheet *s)
{
	draw(out, s, &csv);
	return 0;
}

static int draw_tsv(FILE *out, const struct sheet *s)
{
	draw(out, s, &tsv);
	return 0;
}

const struct renderer render_csv = {
	.name = "csv",
	.extensions = { "csv" },
	.sections = SECTION_ALL,
	.default_sections = SECTION_SUMMARY | SECTION_INTERVALS,
	.one_section = true,
	.audience = FOR_PROGRAMS,
	.draw = draw_csv,
};

const struct renderer render_tsv = {
	.name = "tsv",
	.extensions = { "tsv" },
	.sections = SECTION_ALL,
	.default_sections = SECTION_SUMMARY | SECTION_INTERVALS,
	.one_section = true,
	.audience = FOR_PROGRAMS,
	.draw = draw_tsv,
};
