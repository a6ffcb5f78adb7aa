/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Characters: how UTF-8 spells them, whether a reader sees them, and how wide they are. All of it
 * is Unicode's own (utf8proc), so that a report is the same in every locale, and without one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the UTF-8 sequence that text begins with. Returns its length; 0: it is not valid. */
size_t utf8_sequence(const char *text, size_t len, uint32_t *point);

/*
 * May a character be shown as it is? Control characters, line separators, unassigned code
 * points and those that are invisible or change how a line reads (U+200B, U+202E) may not. The
 * joiners and variation selectors that scripts and emoji are written with may follow a character
 * beyond ASCII, and a combining mark any character. before is the character before it. 0: none.
 */
bool unicode_visible(uint32_t point, uint32_t before);

/* Returns the columns that a visible character takes on a terminal: 0, 1 or 2. */
unsigned unicode_width(uint32_t point);
