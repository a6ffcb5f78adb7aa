// SPDX-License-Identifier: GPL-2.0
#include "report/json_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/proc.h"
#include "base/text.h"

/* A capture has a few MB at most besides its files and findings, and some kB a row. */
#define JSON_REST_MAX_BYTES (64UL << 20)
#define JSON_ROW_MAX_BYTES  (1UL << 20)

/* ---- finding the long lists ---- */

enum { NO_KEY, KEY, KEY_AND_COLON };

/* The most bytes of a number between brackets, which stands for a list. */
#define MAX_STAND_IN 24

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_text(const char *text, size_t len, const char *wanted)
{
	return len == strlen(wanted) && !memcmp(text, wanted, len);
}

static void end_string(struct json_lists *l, const char *text)
{
	const char *string = text + l->string;
	size_t len = l->at - l->string;

	l->in_string = false;
	l->key = !l->depth && (is_text(string, len, LONG_LIST_GROUPS) ||
			       is_text(string, len, LONG_LIST_FILES) ||
			       is_text(string, len, LONG_LIST_FINDINGS) ||
			       is_text(string, len, LONG_LIST_INTERVALS))
			 ? KEY
			 : NO_KEY;
}

static void follow_string(struct json_lists *l, const char *text)
{
	char c = text[l->at];

	if (l->escaped)
		l->escaped = false;
	else if (c == '\\')
		l->escaped = true;
	else if (c == '"')
		end_string(l, text);
}

static void follow_list(struct json_lists *l, char c)
{
	struct json_list *list = &l->list[l->nr - 1];

	l->depth += c == '[' || c == '{';
	l->depth -= c == ']' || c == '}';
	if (l->depth)
		return;
	list->end = l->at;
	l->bytes_inside += list->end - list->begin;
}

static int begin_list(struct json_lists *l)
{
	struct json_list *list = array_append(&l->list, &l->nr, sizeof(*list));

	if (!list)
		return -ENOMEM;
	list->begin = l->at + 1;
	l->depth = 1;
	return 0;
}

static int follow(struct json_lists *l, char c)
{
	int err = 0;

	if (c == '"') {
		l->in_string = true;
		l->string = l->at + 1;
		return 0;
	}
	if (l->depth) {
		follow_list(l, c);
		return 0;
	}
	if (c == '[' && l->key == KEY_AND_COLON)
		err = begin_list(l);
	l->key = c == ':' && l->key == KEY ? KEY_AND_COLON : NO_KEY;
	return err;
}

/* Looks at what has been added to the text. 0 or -ENOMEM. */
static int find_lists(struct json_lists *l, const char *text, size_t len)
{
	int err = 0;

	for (; !err && l->at < len; l->at++)
		if (l->in_string)
			follow_string(l, text);
		else if (!is_space(text[l->at]))
			err = follow(l, text[l->at]);
	return err;
}

/* Returns how many bytes of the text so far are in no list that was found. */
static size_t rest_of_lists(const struct json_lists *l)
{
	size_t open = l->depth ? l->at - l->list[l->nr - 1].begin : 0;

	return l->at - l->bytes_inside - open;
}

/* Returns how many lists have ended. */
static size_t nr_whole(const struct json_lists *l)
{
	return l->nr - (l->depth > 0);
}

/* Copies the text with [number] for each list. To be freed; NULL: no memory. */
static char *cut_lists(const struct json_lists *l, const char *text, size_t len, size_t *rest_len)
{
	char *rest = malloc(len - l->bytes_inside + l->nr * MAX_STAND_IN + 1), *end = rest;
	size_t at = 0;

	if (!rest)
		return NULL;
	for (size_t i = 0; i < nr_whole(l); i++) {
		memcpy(end, text + at, l->list[i].begin - at);
		end += l->list[i].begin - at;
		end += sprintf(end, "%zu", i);
		at = l->list[i].end;
	}
	memcpy(end, text + at, len - at);
	*rest_len = (size_t)(end - rest) + len - at;
	return rest;
}

/* Returns the place in the text of a place in what cut_lists() made. */
static size_t place_of_rest(const struct json_lists *l, size_t place)
{
	size_t longer = 0;

	for (size_t i = 0; i < nr_whole(l) && place + longer > l->list[i].begin; i++)
		longer += l->list[i].end - l->list[i].begin - (size_t)snprintf(NULL, 0, "%zu", i);
	return place + longer;
}

/* ---- the file ---- */

/* Finds a line and a column, which is that of the last character, as the parser counts. */
static void find_place(const struct json_file *f, size_t place, size_t *line, size_t *column)
{
	*line = 1;
	*column = 0;
	for (size_t i = 0; i < place && i < f->len; i++) {
		if (f->text[i] == '\n') {
			++*line;
			*column = 0;
		} else if ((f->text[i] & 0xc0) != 0x80) { /* It begins a character. */
			++*column;
		}
	}
}

/* Explains an error number in err. Returns -number. */
static int fail(char *err, size_t err_size, int number)
{
	snprintf(err, err_size, "%s", explain_errno(number));
	return -number;
}

/*
 * Says what the parser found wrong at a place of the text; its message may quote the file. Returns
 * -EINVAL or -ENOMEM.
 */
static int say_syntax_error(const struct json_file *f, size_t place, const json_error_t *error,
			    char *err, size_t err_size)
{
	char text[JSON_ERROR_TEXT_LENGTH * 2];
	bool early = json_error_code(error) == json_error_premature_end_of_input;
	size_t line, column;

	if (json_error_code(error) == json_error_out_of_memory)
		return fail(err, err_size, ENOMEM);
	find_place(f, place, &line, &column);
	snprintf(err, err_size, "line %zu, column %zu: %s%s", line, column,
		 early ? "the file ends too early: " : "", ESCAPE_TEXT(text, error->text));
	return -EINVAL;
}

static int check_rest(const struct json_file *f, char *err, size_t err_size)
{
	if (rest_of_lists(&f->lists) <= JSON_REST_MAX_BYTES)
		return 0;
	snprintf(
		err, err_size,
		"it has more than %lu MiB besides its files, findings and intervals: no capture has",
		JSON_REST_MAX_BYTES >> 20);
	return -EFBIG;
}

/* Parses what is in none of the lists, once these have been found. */
static int parse_rest(struct json_file *f, char *err, size_t err_size)
{
	size_t len, line, column;
	json_error_t error;
	char *rest;

	if (f->lists.depth) {
		find_place(f, f->len, &line, &column);
		snprintf(err, err_size, "line %zu, column %zu: the file ends too early", line,
			 column);
		return -EINVAL;
	}
	rest = cut_lists(&f->lists, f->text, f->len, &len);
	if (!rest)
		return fail(err, err_size, ENOMEM);
	f->json = json_loadb(rest, len, JSON_REJECT_DUPLICATES, &error);
	free(rest);
	if (f->json)
		return 0;
	return say_syntax_error(f, place_of_rest(&f->lists, (size_t)error.position), &error, err,
				err_size);
}

int json_file_parse(struct json_file *f, const char *text, size_t len, char *err, size_t err_size)
{
	int result;

	memset(f, 0, sizeof(*f));
	f->text = text;
	f->len = len;
	if (find_lists(&f->lists, text, len))
		return fail(err, err_size, ENOMEM);
	result = check_rest(f, err, err_size);
	return result ? result : parse_rest(f, err, err_size);
}

/* May so many bytes more be taken? Where nothing is known of memory, few are. */
static bool may_take(size_t bytes)
{
	uint64_t available = available_memory();

	return bytes <= (available ? available / 2 : JSON_REST_MAX_BYTES);
}

/* Makes room for more text. 0, or -errno with a message. */
static int make_room(struct json_file *f, size_t *room, char *err, size_t err_size)
{
	size_t larger = *room ? 2 * *room : 65536;
	char *text;

	if (!may_take(larger - *room)) {
		snprintf(
			err, err_size,
			"it is larger than %zu MiB, and more would take over half of the memory that is available",
			*room >> 20);
		return -EFBIG;
	}
	text = realloc(f->own_text, larger);
	if (!text)
		return fail(err, err_size, ENOMEM);
	f->text = f->own_text = text;
	*room = larger;
	return 0;
}

/* Reads a file and looks at it as it comes, so that what is no capture is not read to its end. */
static int read_all(struct json_file *f, int fd, char *err, size_t err_size)
{
	size_t room = 0;

	for (;;) {
		int result = f->len == room ? make_room(f, &room, err, err_size) : 0;
		ssize_t nr;

		if (result)
			return result;
		nr = TEMP_FAILURE_RETRY(read(fd, f->own_text + f->len, room - f->len));
		if (nr < 0)
			return fail(err, err_size, errno);
		if (!nr)
			return 0;
		f->len += (size_t)nr;
		if (find_lists(&f->lists, f->text, f->len))
			return fail(err, err_size, ENOMEM);
		result = check_rest(f, err, err_size);
		if (result)
			return result;
	}
}

int json_file_read(struct json_file *f, const char *path, char *err, size_t err_size)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC), result;

	memset(f, 0, sizeof(*f));
	if (fd < 0)
		return fail(err, err_size, errno);
	result = read_all(f, fd, err, err_size);
	if (!is_stdin)
		close(fd);
	return result ? result : parse_rest(f, err, err_size);
}

void json_file_close(struct json_file *f)
{
	json_decref(f->json);
	free(f->lists.list);
	free(f->own_text);
	memset(f, 0, sizeof(*f));
}

/* ---- the rows of a long list ---- */

/* Returns the list in the text that this one stands for. NULL: it is no such list. */
static const struct json_list *list_in_text(const struct json_node *list)
{
	const struct json_file *file = list->reader->file;
	const json_t *number = json_array_get(list->json, 0);

	if (!file || json_array_size(list->json) != 1 || !json_is_integer(number) ||
	    (json_int_t)file->lists.nr <= json_integer_value(number) ||
	    json_integer_value(number) < 0)
		return NULL;
	return &file->lists.list[json_integer_value(number)];
}

void json_rows_begin(struct json_rows *r, const struct json_node *list)
{
	const struct json_list *text;

	memset(r, 0, sizeof(*r));
	r->list = *list;
	json_list_size(list); /* This fails if it is no list. */
	text = list->json && !list->reader->err ? list_in_text(list) : NULL;
	if (!text)
		return;
	r->file = list->reader->file;
	r->at = text->begin;
	r->end = text->end;
}

static void skip_space(struct json_rows *r)
{
	while (r->at < r->end && strchr(" \t\n\r", r->file->text[r->at]) && r->file->text[r->at])
		r->at++;
}

static void fail_syntax(const struct json_node *row, const struct json_file *f, size_t at,
			const json_error_t *error)
{
	char text[400];
	int err = say_syntax_error(f, at + (size_t)error->position, error, text, sizeof(text));

	json_fail(row, err, "%s", text);
}

/* Goes to the next row. False: there is none. */
static bool find_row(struct json_rows *r, const struct json_node *row)
{
	skip_space(r);
	if (r->at == r->end)
		return false;
	if (!r->index)
		return true;
	if (r->file->text[r->at] != ',') {
		json_fail(row, -EINVAL, "a comma must stand before it");
		return false;
	}
	r->at++;
	return true;
}

static json_t *parse_row(struct json_rows *r, const struct json_node *row)
{
	size_t left = r->end - r->at, len = left < JSON_ROW_MAX_BYTES ? left : JSON_ROW_MAX_BYTES;
	json_error_t error;
	json_t *json = json_loadb(r->file->text + r->at, len,
				  JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);

	if (json)
		r->at += (size_t)error.position;
	else if (len < left && json_error_code(&error) == json_error_premature_end_of_input)
		json_fail(row, -EFBIG, "is larger than %lu MiB", JSON_ROW_MAX_BYTES >> 20);
	else
		fail_syntax(row, r->file, r->at, &error);
	return json;
}

bool json_rows_next(struct json_rows *r, struct json_node *row)
{
	*row = (struct json_node){ r->list.reader, &r->list, NULL, r->index, NULL };
	json_decref(r->row);
	r->row = NULL;
	if (!r->list.json || r->list.reader->err)
		return false;
	if (!r->file)
		row->json = json_array_get(r->list.json, r->index);
	else if (find_row(r, row))
		row->json = r->row = parse_row(r, row);
	r->index++;
	return row->json;
}
