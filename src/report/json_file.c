// SPDX-License-Identifier: GPL-2.0
#include "report/json_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* The parser's message with its place. It may quote the file. */
static int syntax_error(const json_error_t *error, char *err, size_t err_size)
{
	char text[JSON_ERROR_TEXT_LENGTH * 2];
	bool early = json_error_code(error) == json_error_premature_end_of_input;

	if (json_error_code(error) == json_error_out_of_memory) {
		snprintf(err, err_size, "no memory");
		return -ENOMEM;
	}
	snprintf(err, err_size, "line %d, column %d: %s%s", error->line, error->column,
		 early ? "the file ends too early: " : "", ESCAPE_TEXT(text, error->text));
	return -EINVAL;
}

int json_file_parse(json_t **json, const char *text, size_t len, char *err, size_t err_size)
{
	json_error_t error;

	*json = NULL;
	if (len > JSON_FILE_MAX_BYTES) {
		snprintf(err, err_size, "it is larger than %lu MiB: no capture is",
			 JSON_FILE_MAX_BYTES >> 20);
		return -EFBIG;
	}
	*json = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	return *json ? 0 : syntax_error(&error, err, err_size);
}

/* Reads at most one byte more than is allowed. */
static int read_all(int fd, char **text, size_t *len)
{
	size_t room = 0;

	*text = NULL;
	*len = 0;
	for (;;) {
		ssize_t nr;

		if (*len == room) {
			char *larger = realloc(*text, room = room ? 2 * room : 65536);

			if (!larger)
				return -ENOMEM;
			*text = larger;
		}
		nr = read(fd, *text + *len, room - *len);
		if (nr < 0 && errno == EINTR)
			continue;
		if (nr < 0)
			return -errno;
		*len += (size_t)nr;
		if (!nr || *len > JSON_FILE_MAX_BYTES)
			return 0;
	}
}

int json_file_read(json_t **json, const char *path, char *err, size_t err_size)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	size_t len = 0;
	int result;

	*json = NULL;
	result = fd < 0 ? -errno : read_all(fd, &text, &len);
	if (result)
		snprintf(err, err_size, "%s", strerror(-result));
	else
		result = json_file_parse(json, text, len, err, err_size);
	free(text);
	if (fd >= 0 && !is_stdin)
		close(fd);
	return result;
}
