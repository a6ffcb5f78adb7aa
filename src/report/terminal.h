/* SPDX-License-Identifier: GPL-2.0 */
/* Tables on a terminal. */
#pragma once

#include "report/document.h"

/*
 * In columns that fit into a line, long texts being shortened in their middle. 0 or
 * -ENOMEM.
 */
int terminal_draw_columns(FILE *out, const struct sheet *s);
/* Prints the cells as lines of a name and a value, broken where they are too long. As above. */
int terminal_draw_list(FILE *out, const struct sheet *s);
