// SPDX-License-Identifier: GPL-2.0
#include "base/text.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t utf8_sequence(const char *bytes, size_t len, uint32_t *point)
{
	const unsigned char *text = (const unsigned char *)bytes;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size;

	if (text[0] < 0x80)
		size = 1;
	else if ((text[0] & 0xe0) == 0xc0)
		size = 2;
	else if ((text[0] & 0xf0) == 0xe0)
		size = 3;
	else if ((text[0] & 0xf8) == 0xf0)
		size = 4;
	else
		return 0;
	if (size > len)
		return 0;

	*point = size == 1 ? text[0] : text[0] & (0x7f >> size);
	for (size_t i = 1; i < size; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (text[i] & 0x3f);
	}
	if (*point < least[size] || *point > 0x10ffff || (*point >= 0xd800 && *point <= 0xdfff))
		return 0;
	return size;
}

/* The escape of one byte, at most 4 characters, without a NUL. Returns its length. */
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
 * The next piece of output, which must not be torn: a character as it is, or the escape of a byte.
 * Returns how many bytes of text it stands for.
 */
static size_t next_piece(char piece[4], size_t *piece_len, const char *text, size_t len)
{
	uint32_t point;
	size_t size = utf8_sequence(text, len, &point);

	if (size && point >= 0x20 && point != '\\' && (point < 0x7f || point > 0x9f)) {
		memcpy(piece, text, size);
		*piece_len = size;
		return size;
	}
	*piece_len = escape_byte(piece, (unsigned char)text[0]);
	return 1;
}

const char *escape_text(char *buf, size_t size, const char *text, size_t len)
{
	static const char dots[] = "...";
	size_t out = 0, before_dots = 0, room, piece_len;
	char piece[4];

	if (!size)
		return buf;
	room = size - 1;
	for (size_t in = 0; in < len; out += piece_len) {
		in += next_piece(piece, &piece_len, text + in, len - in);
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

/* The length of a piece of escaped text, which must not be torn: a character, or an escape. */
static size_t escaped_piece(const char *text, size_t len)
{
	uint32_t point;
	size_t size = utf8_sequence(text, len, &point);

	if (*text == '\\')
		size = len > 1 && text[1] == 'x' ? 4 : 2;
	return size && size <= len ? size : 1;
}

char *shorten_text(char *text, size_t width)
{
	size_t len = strlen(text), room = width - 3, head = 0, tail = 0;

	if (len <= width)
		return text;
	while (len - tail > room - head) {
		size_t piece = escaped_piece(text + tail, len - tail);

		tail += piece;
		if (tail <= room / 2)
			head = tail;
	}
	memcpy(text + head, "...", 3);
	memmove(text + head + 3, text + tail, len - tail + 1);
	return text;
}

/* value / unit, rounded half up, where value + unit might not fit. */
static uint64_t divide_rounded(uint64_t value, uint64_t unit)
{
	return value / unit + (value % unit >= unit - unit / 2);
}

/* n / 10^decimals without zeros at its end. */
static void format_decimals(char *buf, size_t size, uint64_t n, int decimals, const char *unit)
{
	for (; decimals && n % 10 == 0; decimals--)
		n /= 10;
	if (decimals == 2)
		snprintf(buf, size, "%" PRIu64 ".%02u%s", n / 100, (unsigned)(n % 100), unit);
	else if (decimals == 1)
		snprintf(buf, size, "%" PRIu64 ".%u%s", n / 10, (unsigned)(n % 10), unit);
	else
		snprintf(buf, size, "%" PRIu64 "%s", n, unit);
}

const char *format_ns(char *buf, size_t size, uint64_t ns)
{
	static const struct {
		uint64_t step; /* ns to the last digit */
		int decimals;
		const char *unit;
	} scales[] = {
		{ 10, 2, "us" },      { 100, 1, "us" },	     { 1000, 0, "us" },
		{ 10000, 2, "ms" },   { 100000, 1, "ms" },   { 1000000, 0, "ms" },
		{ 10000000, 2, "s" }, { 100000000, 1, "s" }, { 1000000000, 0, "s" },
	};
	size_t i = 0;

	if (ns < 1000) {
		snprintf(buf, size, "%" PRIu64 "ns", ns);
		return buf;
	}
	while (i < 8 && divide_rounded(ns, scales[i].step) >= 1000)
		i++;
	format_decimals(buf, size, divide_rounded(ns, scales[i].step), scales[i].decimals,
			scales[i].unit);
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
	static const char *const units[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
	uint64_t unit = 1000, n;

	if (bytes < 1000) {
		snprintf(buf, size, "%" PRIu64 " B", bytes);
		return buf;
	}
	for (size_t u = 0; u < sizeof(units) / sizeof(*units); u++, unit *= 1000) {
		n = divide_rounded(bytes, unit / 10);
		if (n < 1000) {
			snprintf(buf, size, "%u.%u %s", (unsigned)(n / 10), (unsigned)(n % 10),
				 units[u]);
			return buf;
		}
		n = divide_rounded(bytes, unit);
		if (n < 1000) {
			snprintf(buf, size, "%u %s", (unsigned)n, units[u]);
			return buf;
		}
	}
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
	/* The C library's constant: it cannot fail and need not be freed. */
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
