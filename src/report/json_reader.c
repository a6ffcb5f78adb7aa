// SPDX-License-Identifier: GPL-2.0
#include "report/json_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"

struct json_node json_root(struct json_reader *r, const json_t *json)
{
	return (struct json_node){ .reader = r, .json = json };
}

/* Prints "syscalls[3].calls". */
static size_t print_path(char *buf, size_t size, const struct json_node *n)
{
	size_t used = n->parent ? print_path(buf, size, n->parent) : 0;

	if (n->key && used < size)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? "." : "", n->key);
	else if (n->parent && used < size)
		used += (size_t)snprintf(buf + used, size - used, "[%zu]", n->index);
	return used;
}

void json_fail(const struct json_node *n, int err, const char *fmt, ...)
{
	struct json_reader *r = n->reader;
	va_list args;
	size_t used;

	if (r->err)
		return;
	r->err = err;
	used = print_path(r->message, sizeof(r->message) / 2, n);
	if (used)
		used += (size_t)sprintf(r->message + used, ": ");
	va_start(args, fmt);
	vsnprintf(r->message + used, sizeof(r->message) - used, fmt, args);
	va_end(args);
}

bool json_has(const struct json_node *n, const char *key)
{
	return n->json && json_object_get(n->json, key);
}

struct json_node json_member(const struct json_node *n, const char *key)
{
	struct json_node member = { n->reader, n, key, 0, NULL };

	if (!n->json || n->reader->err)
		return member;
	if (!json_is_object(n->json)) {
		json_fail(n, -EINVAL, "must be an object");
		return member;
	}
	member.json = json_object_get(n->json, key);
	if (!member.json)
		json_fail(&member, -EINVAL, "is missing: a capture has all sections");
	return member;
}

struct json_node json_optional(const struct json_node *n, const char *key)
{
	if (json_has(n, key))
		return json_member(n, key);
	return (struct json_node){ n->reader, n, key, 0, NULL };
}

size_t json_list_size(const struct json_node *n)
{
	if (!n->json || n->reader->err)
		return 0;
	if (!json_is_array(n->json)) {
		json_fail(n, -EINVAL, "must be a list");
		return 0;
	}
	return json_array_size(n->json);
}

struct json_node json_element(const struct json_node *n, size_t index)
{
	struct json_node element = { n->reader, n, NULL, index, NULL };

	if (index < json_list_size(n))
		element.json = json_array_get(n->json, index);
	return element;
}

bool json_is_none(const struct json_node *n)
{
	return !n->json || json_is_null(n->json);
}

uint64_t json_number_within(const struct json_node *n, uint64_t low, uint64_t high)
{
	if (!n->json || n->reader->err)
		return 0;
	if (!json_is_integer(n->json)) {
		json_fail(n, -EINVAL, "must be a whole number");
		return 0;
	}
	if (json_integer_value(n->json) < 0) {
		json_fail(n, -EINVAL, "must not be negative");
		return 0;
	}
	if ((uint64_t)json_integer_value(n->json) < low ||
	    (uint64_t)json_integer_value(n->json) > high) {
		json_fail(n, -EINVAL, "must be from %" PRIu64 " to %" PRIu64, low, high);
		return 0;
	}
	return (uint64_t)json_integer_value(n->json);
}

uint64_t json_number(const struct json_node *n)
{
	return json_number_within(n, 0, INT64_MAX);
}

bool json_bool(const struct json_node *n)
{
	if (n->json && !json_is_boolean(n->json))
		json_fail(n, -EINVAL, "must be true or false");
	return n->json && json_is_true(n->json);
}

const char *json_word(const struct json_node *n)
{
	if (!n->json || n->reader->err)
		return NULL;
	if (!json_is_string(n->json))
		json_fail(n, -EINVAL, "must be a string");
	return json_string_value(n->json);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Returns the byte that an escape stands for, and the length of the escape without the backslash;
 * -1 if there is no such escape.
 */
static int unescape_byte(const char *text, size_t *len)
{
	static const char letters[] = "abtnvfr\\", plain[] = "\a\b\t\n\v\f\r\\";
	const char *letter = *text ? strchr(letters, *text) : NULL;
	int byte;

	*len = 1;
	if (letter)
		return plain[letter - letters];
	*len = 3;
	if (*text != 'x' || hex_digit(text[1]) < 0 || hex_digit(text[2]) < 0)
		return -1;
	byte = hex_digit(text[1]) << 4 | hex_digit(text[2]);
	/* The writer leaves printable ASCII as it is, so such an escape is damage. */
	return byte >= 0x20 && byte < 0x7f ? -1 : byte;
}

/* Replaces the escapes in place. Returns whether all were valid. */
static bool unescape(char *text)
{
	char *out = text;

	while (*text) {
		size_t len;
		int byte;

		if (*text != '\\') {
			*out++ = *text++;
			continue;
		}
		byte = unescape_byte(text + 1, &len);
		if (byte <= 0)
			return false;
		*out++ = (char)byte;
		text += 1 + len;
	}
	*out = '\0';
	return true;
}

/*
 * Has the text characters that all versions have escaped? Of others it depends on the Unicode that
 * they know.
 */
static bool has_controls(const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f || (c == 0xc2 && (unsigned char)text[1] < 0xa0))
			return true;
	}
	return false;
}

char *json_text(const struct json_node *n)
{
	const char *word = json_word(n);
	char *text = word ? strdup(word) : NULL;

	if (!word)
		return NULL;
	if (!text)
		json_fail(n, -ENOMEM, "no memory");
	else if (has_controls(word))
		json_fail(n, -EINVAL, "holds characters that must be escaped");
	else if (!unescape(text))
		json_fail(n, -EINVAL, "holds an escape that there is not");
	if (!n->reader->err)
		return text;
	free(text);
	return NULL;
}

int json_reader_result(const struct json_reader *r, char *err, size_t err_size)
{
	if (r->err == -ENOMEM)
		snprintf(err, err_size, "%s", explain_errno(ENOMEM));
	else if (r->err)
		escape_text(err, err_size, r->message, strlen(r->message));
	return r->err;
}
