// SPDX-License-Identifier: GPL-2.0
/* AsciiDoc tables. */
#include <ctype.h>
#include <string.h>

#include "report/render.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c);
}

/*
 * Can this character be printed as it is? Some are harmless alone but not in pairs (two dashes,
 * three dots, two underlines). Names should stay readable.
 */
static bool is_plain(const char *text, size_t i)
{
	char c = text[i], before = i ? text[i - 1] : '\0', after = text[i + 1];

	if (is_word(c) || (unsigned char)c >= 0x80)
		return true;
	if (c == ' ')
		return before && before != ' ' && after;
	if (c == '_' || c == '-' || c == '.' || c == '/' || c == ',' || c == '%')
		return before != c && after != c && (is_word(before) || c == '/') && before != ' ';
	return false;
}

/*
 * Prints special characters as character references, which keep their meaning next to any other
 * character.
 */
static void print_text(FILE *out, const char *text)
{
	for (size_t i = 0; text[i]; i++) {
		if (is_plain(text, i))
			fputc(text[i], out);
		else
			fprintf(out, "&#%u;", (unsigned char)text[i]);
	}
}

/*
 * Prints a cell on a line of its own: text before a bar on the same line could be read as the
 * format of the cell.
 */
static void print_cell(FILE *out, const char *text)
{
	fputc('|', out);
	print_text(out, text);
	fputc('\n', out);
}

static int draw(FILE *out, const struct sheet *s)
{
	if (s->titled)
		fprintf(out, ".%s\n", s->title);
	fputs("[%autowidth,cols=\"", out);
	for (size_t i = 0; i < s->nr_columns; i++)
		fprintf(out, "%s%s", i ? "," : "", s->columns[i].left ? "<" : ">");
	fputs("\",options=\"header\"]\n|===\n", out);
	for (size_t i = 0; i < s->nr_columns; i++)
		print_cell(out, s->columns[i].heading);
	for (size_t i = 0; i < s->nr_cells; i++) {
		char buf[32];

		if (i % s->nr_columns == 0)
			fputc('\n', out);
		print_cell(out, cell_text(&s->cells[i], FOR_PEOPLE, buf, sizeof(buf)));
	}
	fputs(s->titled ? "|===\n\n" : "|===\n", out);
	return 0;
}

const struct renderer render_asciidoc = {
	.name = "asciidoc",
	.extensions = { "adoc", "asciidoc", "asc" },
	.sections = SECTION_ALL,
	.default_sections = SECTION_ALL & ~SECTION_STACKS,
	.audience = FOR_PEOPLE,
	.draw = draw,
};
