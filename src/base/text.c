// SPDX-License-Identifier: GPL-2.0
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/unicode.h"

/* Writes the escape of a byte, at most 4 characters, without a NUL. Returns its length. */
static size_t escape_byte(char *out, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	static const char plain[] = "\a\b\t\n\v\f\r\\", letters[] = "abtnvfr\\";
	const char *known = c ? strchr(plain, c) : NULL;

	out[0] = '\\';
	if (known) {
		out[1] = letters[known - plain];
		return 2;
	}
	out[1] = 'x';
	out[2] = hex[c >> 4];
	out[3] = hex[c & 15];
	return 4;
}

/*
 * Writes the next piece of output, which must not be torn: a character, or the escape of a byte.
 * Returns how many bytes of text it stands for. *before is the character before it, 0 after an
 * escape and at the beginning.
 */
static size_t next_piece(char piece[4], size_t *piece_len, const char *text, size_t len,
			 uint32_t *before)
{
	uint32_t point;
	size_t size = utf8_sequence(text, len, &point);

	if (size && point != '\\' && unicode_visible(point, *before)) {
		memcpy(piece, text, size);
		*piece_len = size;
		*before = point;
		return size;
	}
	*piece_len = escape_byte(piece, (unsigned char)text[0]);
	*before = 0;
	return 1;
}

const char *escape_text(char *buf, size_t size, const char *text, size_t len)
{
	static const char dots[] = "...";
	size_t out = 0, before_dots = 0, room, piece_len;
	uint32_t before = 0;
	char piece[4];

	if (!size)
		return buf;
	room = size - 1;
	for (size_t in = 0; in < len; out += piece_len) {
		in += next_piece(piece, &piece_len, text + in, len - in, &before);
		if (piece_len > room - out) {
			out = before_dots;
			piece_len = room - out < 3 ? room - out : 3;
			memcpy(buf + out, dots, piece_len);
			out += piece_len;
			break;
		}
		memcpy(buf + out, piece, piece_len);
		if (out + piece_len + 3 <= room)
			before_dots = out + piece_len;
	}
	buf[out] = '\0';
	return buf;
}

char *escape_text_dup(const char *text, size_t len)
{
	char *buf;

	if (len >= SIZE_MAX / 4)
		return NULL;
	buf = malloc(4 * len + 1);
	if (buf)
		escape_text(buf, 4 * len + 1, text, len);
	return buf;
}

/*
 * Returns the length of a piece of escaped text that must not be torn, a character or an escape.
 * *width becomes the number of columns that it takes.
 */
static size_t escaped_piece(const char *text, size_t len, size_t *width)
{
	uint32_t point;
	size_t size = utf8_sequence(text, len, &point);

	if (*text == '\\') {
		size = len > 1 && text[1] == 'x' ? 4 : 2;
		*width = size = size < len ? size : len;
		return size;
	}
	*width = size ? unicode_width(point) : 1;
	return size ? size : 1;
}

size_t text_width(const char *text, size_t len)
{
	size_t width = 0, columns;

	for (size_t at = 0; at < len; width += columns)
		at += escaped_piece(text + at, len - at, &columns);
	return width;
}

char *shorten_text(char *text, size_t width)
{
	size_t len = strlen(text), whole = text_width(text, len), room = width - 3;
	size_t head = 0, head_width = 0, tail = 0, passed = 0;

	if (whole <= width)
		return text;
	while (tail < len) {
		size_t columns, size = escaped_piece(text + tail, len - tail, &columns);

		/* A mark stays with the character that it is drawn on. */
		if (columns && whole - passed <= room - head_width)
			break;
		tail += size;
		passed += columns;
		if (passed <= room / 2) {
			head = tail;
			head_width = passed;
		}
	}
	memcpy(text + head, "...", 3);
	memmove(text + head + 3, text + tail, len - tail + 1);
	return text;
}

/* Divides, and rounds half up, also where value + unit does not fit into 64 bits. */
static uint64_t divide_rounded(uint64_t value, uint64_t unit)
{
	return value / unit + (value % unit >= unit - unit / 2);
}

/*
 * Writes a value of 1000 or more in the first of the units, each 1000 times the one before, in
 * which it has three digits at most, with as many decimals as fit. trim: no zeros end the decimals.
 */
static const char *format_scaled(char *buf, size_t size, uint64_t value, const char *const *units,
				 int most_decimals, bool trim)
{
	static const unsigned powers[] = { 1, 10, 100 };
	uint64_t unit = 1000, n = 0;
	int decimals = most_decimals;

	for (;;) {
		n = divide_rounded(value, unit / powers[decimals]);
		if (n < 1000 || (!decimals && !units[1]))
			break;
		if (decimals--)
			continue;
		decimals = most_decimals;
		unit *= 1000;
		units++;
	}
	for (; trim && decimals && n % 10 == 0; decimals--)
		n /= 10;
	if (decimals)
		snprintf(buf, size, "%" PRIu64 ".%0*u%s", n / powers[decimals], decimals,
			 (unsigned)n % powers[decimals], *units);
	else
		snprintf(buf, size, "%" PRIu64 "%s", n, *units);
	return buf;
}

const char *format_ns(char *buf, size_t size, uint64_t ns)
{
	static const char *const units[] = { "us", "ms", "s", NULL };

	if (ns >= 1000)
		return format_scaled(buf, size, ns, units, 2, true);
	snprintf(buf, size, "%" PRIu64 "ns", ns);
	return buf;
}

const char *format_grouped(char buf[FORMATTED_COUNT], uint64_t nr)
{
	size_t at = FORMATTED_COUNT - 1;
	int digits = 0;

	buf[at] = '\0';
	do {
		if (digits && digits % 3 == 0)
			buf[--at] = ',';
		buf[--at] = (char)('0' + nr % 10);
		digits++;
	} while (nr /= 10);
	return memmove(buf, &buf[at], FORMATTED_COUNT - at);
}

const char *format_bytes(char *buf, size_t size, uint64_t bytes)
{
	static const char *const units[] = { " kB", " MB", " GB", " TB", " PB", " EB", NULL };

	if (bytes >= 1000)
		return format_scaled(buf, size, bytes, units, 1, false);
	snprintf(buf, size, "%" PRIu64 " B", bytes);
	return buf;
}

const char *format_pow2_bytes(char *buf, size_t size, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB" };
	size_t unit = 0;

	for (; bytes >= 1024 && unit < 3; unit++)
		bytes /= 1024;
	snprintf(buf, size, "%" PRIu64 " %s", bytes, units[unit]);
	return buf;
}

const char *format_fixed(char *buf, size_t size, double value, int decimals)
{
	/* The C library has this locale as a constant: it cannot fail, and is not to be freed. */
	locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));

	snprintf(buf, size, "%.*f", decimals, value);
	uselocale(before);
	return buf;
}

#define MAX_WORD 64

size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][MAX_WORD + 1], len = strlen(b);

	if (len > MAX_WORD)
		return SIZE_MAX;
	for (size_t j = 0; j <= len; j++)
		rows[0][j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= len; j++) {
			size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);

			if (above[j] + 1 < best)
				best = above[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    above2[j - 2] + 1 < best)
				best = above2[j - 2] + 1;
			row[j] = best;
		}
	}
	return rows[strlen(a) % 3][len];
}

bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

int copy_text(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return text && !*to ? -ENOMEM : 0;
}

const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}
