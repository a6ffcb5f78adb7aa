/* SPDX-License-Identifier: GPL-2.0 */
/* Figures and untrusted text for people. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * These write figures for people. Each returns buf, writes the same in every locale, and fits in 24
 * bytes whatever the value; a grouped one fits in 28.
 */

#define FORMATTED_COUNT 28
/* Writes "1,000,000". */
const char *format_grouped(char buf[FORMATTED_COUNT], uint64_t nr);
/* Writes "640ns", "1.2us", "1.5s": three significant digits, whole seconds from 100 s on. */
const char *format_ns(char *buf, size_t size, uint64_t ns);
/* Writes "512 B", "4.0 MB": units are powers of 1000, and there is one decimal below 100. */
const char *format_bytes(char *buf, size_t size, uint64_t bytes);
/* Writes "4 KiB", for a power of two. */
const char *format_pow2_bytes(char *buf, size_t size, uint64_t bytes);
/* Writes as "%.*f" of printf(3), with a point in every locale. The buffer must fit the value. */
const char *format_fixed(char *buf, size_t size, double value, int decimals);

/*
 * Escapes untrusted text: invalid UTF-8, backslashes, and characters that may not be shown as they
 * are (unicode_visible()) become C escapes of their bytes (\n, \t, \\, \x1b, \xff). Writes at most
 * size - 1 bytes and a NUL, never half an escape or character; a text that is cut ends in "...".
 * Returns buf.
 */
const char *escape_text(char *buf, size_t size, const char *text, size_t len);

/* Escapes a whole string into an array. */
#define ESCAPE_TEXT(buf, text) escape_text(buf, sizeof(buf), text, strlen(text))
/* Escapes all of a text. Returns the copy, to be freed; NULL without memory. */
char *escape_text_dup(const char *text, size_t len);

/* Are two texts the same? NULL is the same as NULL alone. */
bool same_text(const char *a, const char *b);
/* Copies a text, to be freed, or NULL. Returns 0 or -ENOMEM. */
int copy_text(char **to, const char *text);
/* Returns the last part of a path, as basename(3) of GNU does, but NULL of NULL. */
const char *base_name(const char *path);

/* Returns the columns that escaped text takes on a terminal. */
size_t text_width(const char *text, size_t len);

/*
 * Cuts the middle out of escaped text, in place, to at most this many columns (8 or more), with
 * "..." instead. Returns text.
 */
char *shorten_text(char *text, size_t width);

/*
 * Returns the number of letters to add, remove, change or swap with the next to turn a into b
 * (Damerau-Levenshtein, optimal string alignment). SIZE_MAX if b has more than 64 letters.
 */
size_t edit_distance(const char *a, const char *b);
