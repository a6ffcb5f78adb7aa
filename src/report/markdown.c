// SPDX-License-Identifier: GPL-2.0
/* Tables in GitHub's Markdown. */
#include <string.h>

#include "report/render.h"

/* Prints our own words. */
static void print_plain(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\`*_[]<>&|~#", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

/* Returns the longest run of backticks: the code span needs a delimiter of another length. */
static size_t longest_run(const char *text)
{
	size_t longest = 0, run = 0;

	for (; *text; text++) {
		run = *text == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

/*
 * Prints untrusted text as a code span, in which nothing is markup, HTML or a link. The table's
 * pipes are parsed before code spans, so they need a backslash, which the table removes.
 */
static void print_code(FILE *out, const char *text)
{
	size_t len = strlen(text), ticks = longest_run(text) + 1;
	/* Markdown removes one blank at each end, unless the span is all blanks. */
	bool pad = len && (text[0] == '`' || text[len - 1] == '`' ||
			   (text[0] == ' ' && text[len - 1] == ' ' && text[strspn(text, " ")]));

	if (!len)
		return;
	for (size_t i = 0; i < ticks; i++)
		fputc('`', out);
	if (pad)
		fputc(' ', out);
	for (; *text; text++) {
		if (*text == '|')
			fputc('\\', out);
		fputc(*text, out);
	}
	if (pad)
		fputc(' ', out);
	for (size_t i = 0; i < ticks; i++)
		fputc('`', out);
}

static void print_cell(FILE *out, const struct cell *c)
{
	char buf[32];
	const char *text = cell_text(c, FOR_PEOPLE, buf, sizeof(buf));

	fputs(" ", out);
	if (c->kind == CELL_CODE)
		print_code(out, text);
	else
		print_plain(out, text);
	fputs(" |", out);
}

static int draw(FILE *out, const struct sheet *s)
{
	if (s->titled) {
		fputs("### ", out);
		print_plain(out, s->title);
		fputs("\n\n", out);
	}
	for (size_t i = 0; i < s->nr_columns; i++) {
		fputs(i ? " " : "| ", out);
		print_plain(out, s->columns[i].heading);
		fputs(" |", out);
	}
	fputs("\n|", out);
	for (size_t i = 0; i < s->nr_columns; i++)
		fputs(s->columns[i].left ? " :--- |" : " ---: |", out);
	fputc('\n', out);
	for (size_t i = 0; i < s->nr_cells; i++) {
		if (i % s->nr_columns == 0)
			fputc('|', out);
		print_cell(out, &s->cells[i]);
		if ((i + 1) % s->nr_columns == 0)
			fputc('\n', out);
	}
	if (s->titled)
		fputc('\n', out);
	return 0;
}

const struct renderer render_markdown = {
	.name = "markdown",
	.extensions = { "md", "markdown" },
	.sections = SECTION_ALL,
	.default_sections = SECTION_ALL & ~SECTION_STACKS,
	.audience = FOR_PEOPLE,
	.draw = draw,
};
