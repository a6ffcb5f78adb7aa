/* SPDX-License-Identifier: GPL-2.0 */
/* Lines that fit into a terminal, for people. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* The columns of a line at most. */
#define LINE_WIDTH 100

/*
 * Writes lines, breaking those that are too long at blanks. The rest of a line is indented more
 * than its beginning; a word that is longer than a line is shortened in its middle. Sequences that
 * set colors take no room. 0 or -ENOMEM.
 */
int fill_lines(FILE *out, const char *text);
