// SPDX-License-Identifier: GPL-2.0
#include "report/sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

void sheet_column(struct sheet *s, const char *heading, bool left)
{
	if (s->nr_columns < ARRAY_SIZE(s->columns))
		s->columns[s->nr_columns++] = (struct sheet_column){ heading, left, false };
	else
		s->failed = true;
}

void sheet_list_column(struct sheet *s, const char *heading)
{
	sheet_column(s, heading, true);
	if (!s->failed)
		s->columns[s->nr_columns - 1].list = true;
}

void sheet_columns(struct sheet *s, size_t nr_left, const char *const *headings)
{
	for (size_t i = 0; headings[i]; i++)
		sheet_column(s, headings[i], i < nr_left);
}

enum cell_kind cell_kind_of(enum figure_id id)
{
	static const enum cell_kind kinds[] = {
		[UNIT_COUNT] = CELL_COUNT,
		[UNIT_NS] = CELL_NS,
		[UNIT_BYTES] = CELL_BYTES,
	};

	return kinds[figures[id].unit];
}

static struct cell *add_cell(struct sheet *s)
{
	struct cell *cells;

	/* The list grows at each power of two. */
	if (!(s->nr_cells & (s->nr_cells - 1))) {
		cells = reallocarray(s->cells, s->nr_cells ? 2 * s->nr_cells : 1, sizeof(*cells));
		if (!cells) {
			s->failed = true;
			return NULL;
		}
		s->cells = cells;
	}
	memset(&s->cells[s->nr_cells], 0, sizeof(*s->cells));
	return &s->cells[s->nr_cells++];
}

void sheet_move_cell(struct sheet *s, struct cell *from)
{
	struct cell *c = add_cell(s);

	if (!c)
		return;
	*c = *from;
	memset(from, 0, sizeof(*from));
}

static void add_text(struct sheet *s, enum cell_kind kind, char *text)
{
	struct cell *c = text ? add_cell(s) : NULL;

	if (c) {
		c->kind = kind;
		c->text = text;
		return;
	}
	free(text);
	s->failed = true;
}

void sheet_none(struct sheet *s)
{
	add_cell(s);
}

void sheet_blank(struct sheet *s)
{
	struct cell *c = add_cell(s);

	if (c)
		c->kind = CELL_BLANK;
}

static void add_copy(struct sheet *s, enum cell_kind kind, const char *text)
{
	if (text)
		add_text(s, kind, strdup(text));
	else
		sheet_none(s);
}

void sheet_text(struct sheet *s, const char *text)
{
	add_copy(s, CELL_TEXT, text);
}

void sheet_code(struct sheet *s, const char *text)
{
	if (text)
		add_text(s, CELL_CODE, escape_text_dup(text, strlen(text)));
	else
		sheet_none(s);
}

void sheet_escaped(struct sheet *s, const char *text)
{
	add_copy(s, CELL_CODE, text);
}

/* Escaped text becomes $'...', which has the same escapes. */
static void print_word(FILE *out, const char *word)
{
	char *escaped = escape_text_dup(word, strlen(word));
	bool as_it_is = escaped && !strcmp(escaped, word) && !strchr(word, '\'');
	bool plain = as_it_is && *word && !strpbrk(word, " \"$`&;|<>()*?[#~!{}");

	if (plain || as_it_is) {
		fprintf(out, plain ? "%s" : "'%s'", word);
	} else {
		fputs("$'", out);
		for (const char *c = escaped ? escaped : ""; *c; c++)
			fprintf(out, *c == '\'' ? "\\%c" : "%c", *c);
		fputc('\'', out);
	}
	free(escaped);
}

char *text_of_stream(FILE *stream, char **text)
{
	if (stream && !fclose(stream))
		return *text;
	free(*text);
	return NULL;
}

char *quote_words(char *const *words)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; out && words[i]; i++) {
		if (i)
			fputc(' ', out);
		print_word(out, words[i]);
	}
	return text_of_stream(out, &text);
}

void sheet_words(struct sheet *s, char *const *words)
{
	if (words)
		add_text(s, CELL_CODE, quote_words(words));
	else
		sheet_none(s);
}

void sheet_number(struct sheet *s, enum cell_kind kind, uint64_t value)
{
	struct cell *c = add_cell(s);

	if (c) {
		c->kind = kind;
		c->value = value;
	}
}

void sheet_known(struct sheet *s, bool known, enum cell_kind kind, uint64_t value)
{
	if (known)
		sheet_number(s, kind, value);
	else
		sheet_none(s);
}

static bool is_blank_column(const struct sheet *s, size_t column)
{
	for (size_t i = column; i < s->nr_cells; i += s->nr_columns)
		if (s->cells[i].kind != CELL_BLANK)
			return false;
	return true;
}

static void drop_column(struct sheet *s, size_t column)
{
	size_t nr = 0;

	/* Blank cells own nothing. */
	for (size_t i = 0; i < s->nr_cells; i++)
		if (i % s->nr_columns != column)
			s->cells[nr++] = s->cells[i];
	s->nr_cells = nr;
	s->nr_columns--;
	memmove(&s->columns[column], &s->columns[column + 1],
		(s->nr_columns - column) * sizeof(*s->columns));
}

void sheet_drop_blank(struct sheet *s)
{
	if (s->failed || !s->nr_cells)
		return;
	for (size_t i = s->nr_columns; i-- > 0;)
		if (is_blank_column(s, i))
			drop_column(s, i);
}

void sheet_free(struct sheet *s)
{
	for (size_t i = 0; i < s->nr_cells; i++)
		free(s->cells[i].text);
	free(s->cells);
	free(s->text);
	memset(s, 0, sizeof(*s));
}

size_t sheet_rows(const struct sheet *s)
{
	return s->nr_columns ? s->nr_cells / s->nr_columns : 0;
}

const char *cell_text(const struct cell *c, enum audience audience, char *buf, size_t size)
{
	bool people = audience == FOR_PEOPLE;

	switch (c->kind) {
	case CELL_NONE:
		return people ? "-" : "";
	case CELL_BLANK:
		return "";
	case CELL_TEXT:
	case CELL_CODE:
		return c->text;
	case CELL_NS:
		if (people)
			return format_ns(buf, size, c->value);
		break;
	case CELL_BYTES:
		if (people)
			return format_bytes(buf, size, c->value);
		break;
	case CELL_SHARE:
		snprintf(buf, size, "%" PRIu64 ".%02u%s", c->value / 100,
			 (unsigned)(c->value % 100), people ? "%" : "");
		return buf;
	case CELL_COUNT:
		break;
	}
	snprintf(buf, size, "%" PRIu64, c->value);
	return buf;
}

struct sheet *document_add(struct document *d, const char *title)
{
	struct sheet *s = array_append(&d->sheets, &d->nr_sheets, sizeof(*s));

	if (s)
		snprintf(s->title, sizeof(s->title), "%s", title);
	return s;
}

void document_drop(struct document *d)
{
	sheet_free(&d->sheets[--d->nr_sheets]);
}

void document_free(struct document *d)
{
	while (d->nr_sheets)
		document_drop(d);
	free(d->sheets);
	memset(d, 0, sizeof(*d));
}
