// SPDX-License-Identifier: GPL-2.0
#include "report/fill.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A line that is being written. */
struct line {
	FILE *out;
	size_t column, indent; /* Columns that are written, and the indentation of the next line. */
	bool empty;	       /* The line has only blanks so far. */
};

/* The columns that a word takes: sequences that set colors take none. */
static size_t width_of(const char *word, size_t len)
{
	size_t width = 0, at = 0;

	while (at < len) {
		const char *color = memchr(word + at, '\033', len - at);
		size_t size = color ? (size_t)(color - word) - at : len - at;

		width += text_width(word + at, size);
		at += size;
		while (at < len && word[at++] != 'm')
			;
	}
	return width;
}

static int put_shortened(struct line *l, const char *word, size_t len, size_t width)
{
	char *copy = strndup(word, len);

	if (!copy)
		return -ENOMEM;
	fputs(shorten_text(copy, width), l->out);
	free(copy);
	l->column += width;
	return 0;
}

static int put_word(struct line *l, size_t blanks, const char *word, size_t len)
{
	size_t width = width_of(word, len);

	if (!l->empty && l->column + blanks + width > LINE_WIDTH) {
		fprintf(l->out, "\n%*s", (int)l->indent, "");
		l->column = l->indent;
		blanks = 0;
	}
	fprintf(l->out, "%*s", (int)blanks, "");
	l->column += blanks;
	l->empty = false;
	if (l->column + width > LINE_WIDTH)
		return put_shortened(l, word, len, LINE_WIDTH - l->column);
	fwrite(word, 1, len, l->out);
	l->column += width;
	return 0;
}

/*
 * The rest of a line goes on below the text that follows a label ("  Fix:  "), or else is indented
 * more than its beginning.
 */
static size_t indent_of(const char *text, size_t leading)
{
	size_t label = leading + strcspn(text + leading, " \n");

	if (leading && text[label - 1] == ':' && text[label] == ' ' && label < LINE_WIDTH / 2)
		return label + strspn(text + label, " ");
	return leading ? leading + 2 : 4;
}

/* Writes one line of the text. */
static int fill_line(FILE *out, const char *text, size_t size)
{
	size_t leading = strspn(text, " "), at = 0;
	struct line l = { out, 0, indent_of(text, leading), true };
	int err = 0;

	while (!err && at < size) {
		size_t blanks = strspn(text + at, " "), len = strcspn(text + at + blanks, " \n");

		err = put_word(&l, blanks, text + at + blanks, len);
		at += blanks + len;
	}
	fputc('\n', out);
	return err;
}

int fill_lines(FILE *out, const char *text)
{
	int err = 0;

	while (!err && *text) {
		size_t size = strcspn(text, "\n");

		err = fill_line(out, text, size);
		text += size + (text[size] == '\n');
	}
	return err;
}
