// SPDX-License-Identifier: GPL-2.0
#include "report/json_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/proc.h"
#include "base/text.h"

/* The column is that of the last character, as the parser counts. */
static void find_place(const struct json_file *f, size_t place, size_t *line, size_t *column)
{
	*line = 1;
	*column = 0;
	for (size_t i = 0; i < place && i < f->len; i++) {
		if (f->text[i] == '\n') {
			++*line;
			*column = 0;
		} else if ((f->text[i] & 0xc0) != 0x80) { /* the first byte of a character */
			++*column;
		}
	}
}

static int no_memory(char *err, size_t err_size)
{
	snprintf(err, err_size, "%s", explain_errno(ENOMEM));
	return -ENOMEM;
}

/* The parser's message may quote the file. */
int json_file_syntax_error(const struct json_file *f, size_t place, const json_error_t *error,
			   char *err, size_t err_size)
{
	char text[JSON_ERROR_TEXT_LENGTH * 2];
	bool early = json_error_code(error) == json_error_premature_end_of_input;
	size_t line, column;

	if (json_error_code(error) == json_error_out_of_memory)
		return no_memory(err, err_size);
	find_place(f, place, &line, &column);
	snprintf(err, err_size, "line %zu, column %zu: %s%s", line, column,
		 early ? "the file ends too early: " : "", ESCAPE_TEXT(text, error->text));
	return -EINVAL;
}

static int check_rest(const struct json_file *f, char *err, size_t err_size)
{
	if (json_lists_rest(&f->lists) <= JSON_REST_MAX_BYTES)
		return 0;
	snprintf(err, err_size,
		 "it has more than %lu MiB besides its files and findings: no capture has",
		 JSON_REST_MAX_BYTES >> 20);
	return -EFBIG;
}

/* The lists have been found. */
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
	rest = json_lists_cut(&f->lists, f->text, f->len, &len);
	if (!rest)
		return no_memory(err, err_size);
	f->json = json_loadb(rest, len, JSON_REJECT_DUPLICATES, &error);
	free(rest);
	if (f->json)
		return 0;
	return json_file_syntax_error(f, json_lists_place(&f->lists, (size_t)error.position),
				      &error, err, err_size);
}

int json_file_parse(struct json_file *f, const char *text, size_t len, char *err, size_t err_size)
{
	int result;

	memset(f, 0, sizeof(*f));
	f->text = text;
	f->len = len;
	if (json_lists_find(&f->lists, text, len))
		return no_memory(err, err_size);
	result = check_rest(f, err, err_size);
	return result ? result : parse_rest(f, err, err_size);
}

/* May so many bytes more be taken? Where nothing is known of memory, few are. */
static bool may_take(size_t bytes)
{
	uint64_t available = available_memory();

	return bytes <= (available ? available / 2 : JSON_REST_MAX_BYTES);
}

/* Makes room for more. 0, or -errno with a message. */
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
		return no_memory(err, err_size);
	f->text = f->own_text = text;
	*room = larger;
	return 0;
}

/* Goes through what it reads, so that it need not read what is no capture to its end. */
static int read_all(struct json_file *f, int fd, char *err, size_t err_size)
{
	size_t room = 0;

	for (;;) {
		int result = f->len == room ? make_room(f, &room, err, err_size) : 0;
		ssize_t nr;

		if (result)
			return result;
		nr = TEMP_FAILURE_RETRY(read(fd, f->own_text + f->len, room - f->len));
		if (nr < 0) {
			result = -errno;
			snprintf(err, err_size, "%s", explain_errno(errno));
		}
		if (nr <= 0)
			return result;
		f->len += (size_t)nr;
		if (json_lists_find(&f->lists, f->text, f->len))
			return no_memory(err, err_size);
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
	if (fd < 0) {
		result = -errno;
		snprintf(err, err_size, "%s", explain_errno(errno));
		return result;
	}
	result = read_all(f, fd, err, err_size);
	if (!is_stdin)
		close(fd);
	return result ? result : parse_rest(f, err, err_size);
}

void json_file_close(struct json_file *f)
{
	json_decref(f->json);
	json_lists_free(&f->lists);
	free(f->own_text);
	memset(f, 0, sizeof(*f));
}
