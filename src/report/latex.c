// SPDX-License-Identifier: GPL-2.0
/*
 * Tables with booktabs' rules. The file is both: a document of its own for pdflatex, and, once a
 * document has begun, something to \input. One section is a tabular to be put into any float;
 * several are longtables with captions, which may go over many pages.
 */
#include <stdint.h>
#include <string.h>

#include "base/unicode.h"
#include "report/render.h"

/* \@nodocument is an error until \begin{document} makes it \relax. */
static const char head[] = "% Needs \\usepackage{booktabs,longtable} where it is \\input.\n"
			   "\\expandafter\\ifx\\csname @nodocument\\endcsname\\relax\n"
			   "\\let\\iotraceend\\relax\n"
			   "\\else\n"
			   "\\documentclass{article}\n"
			   "\\usepackage[margin=15mm]{geometry}\n"
			   "\\usepackage{booktabs,longtable}\n"
			   "\\begin{document}\\small\n"
			   "\\def\\iotraceend{\\end{document}}\n"
			   "\\fi\n";
static const char tail[] = "\\iotraceend\n";

/* Returns the command of a character that reports use. NULL: pdflatex has only some of Unicode. */
static const char *math_symbol(uint32_t point)
{
	switch (point) {
	case 0xb1:
		return "pm";
	case 0x2190:
		return "leftarrow";
	default:
		return NULL;
	}
}

/*
 * Prints text. Beyond those that a backslash is enough for, characters are named by their number:
 * that works in the typewriter type of all font encodings, where they have their ASCII places, and
 * neither as a shorthand of babel's nor as a ligature.
 */
static void print_text(FILE *out, const char *text)
{
	while (*text) {
		uint32_t point = 0;
		size_t len = utf8_sequence(text, strnlen(text, 4), &point);

		if (math_symbol(point))
			fprintf(out, "$\\%s$", math_symbol(point));
		else if (point >= 0x80)
			fprintf(out, "{}\\char60{}U+%04X\\char62{}", point);
		else if (strchr("#%&_", *text))
			fprintf(out, "\\%c", *text);
		else if (strchr("\\~^<>|\"'`{}$", *text))
			fprintf(out, "{}\\char%d{}", *text);
		else if (strchr("-,", *text)) /* Two of them would be a ligature. */
			fprintf(out, "%c{}", *text);
		else
			fputc(*text, out);
		/* Long paths may break here. */
		if (*text == '/')
			fputs("\\allowbreak{}", out);
		text += len ? len : 1;
	}
}

static void print_cell(FILE *out, const struct cell *c)
{
	char buf[32];
	const char *text = cell_text(c, FOR_PEOPLE, buf, sizeof(buf));

	/* A bracket after the end of a row would be read as its argument. */
	fputs(c->kind == CELL_CODE ? "\\texttt{" : "{", out);
	print_text(out, text);
	fputc('}', out);
}

static void print_headings(FILE *out, const struct sheet *s)
{
	fputs("\\toprule\n", out);
	for (size_t i = 0; i < s->nr_columns; i++) {
		fputs(i ? " & {" : "{", out);
		print_text(out, s->columns[i].heading);
		fputc('}', out);
	}
	fputs(" \\\\\n\\midrule\n", out);
}

static void print_rows(FILE *out, const struct sheet *s)
{
	for (size_t i = 0; i < s->nr_cells; i++) {
		fputs(i % s->nr_columns ? " & " : "", out);
		print_cell(out, &s->cells[i]);
		if ((i + 1) % s->nr_columns == 0)
			fputs(" \\\\\n", out);
	}
}

/* Prints "lrr". In a table of names and values, the last column takes the rest of the page. */
static void print_alignment(FILE *out, const struct sheet *s)
{
	fputc('{', out);
	for (size_t i = 0; i < s->nr_columns; i++) {
		if (s->nr_columns == 2 && i == 1 && s->columns[i].left)
			fputs("p{0.7\\linewidth}", out);
		else
			fputc(s->columns[i].left ? 'l' : 'r', out);
	}
	fputs("}\n", out);
}

static int draw(FILE *out, const struct sheet *s)
{
	fprintf(out, "\\begin{%s}", s->titled ? "longtable" : "tabular");
	print_alignment(out, s);
	if (s->titled) {
		fputs("\\caption{", out);
		print_text(out, s->title);
		fputs("} \\\\\n", out);
	}
	print_headings(out, s);
	if (s->titled)
		fputs("\\endhead\n", out);
	print_rows(out, s);
	fprintf(out, "\\bottomrule\n\\end{%s}\n", s->titled ? "longtable" : "tabular");
	return 0;
}

const struct renderer render_latex = {
	.name = "latex",
	.extensions = { "tex", "latex" },
	.sections = SECTION_ALL,
	.default_sections = SECTION_ALL & ~SECTION_STACKS,
	.audience = FOR_PEOPLE,
	.draw = draw,
	.head = head,
	.tail = tail,
};
