/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lists in --help come from their tables: "{columns}" in the text of an option is replaced by
 * the columns' names.
 */
#pragma once

/* A help filter of argp. Returns text, or a copy with the lists filled in; NULL: no memory. */
char *help_fill_lists(int key, const char *text, void *input);
