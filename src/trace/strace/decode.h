/* SPDX-License-Identifier: GPL-2.0 */
/* What a line of strace's log says of a file, and of a new task's flags. For line.c. */
#pragma once

#include "trace/strace/line.h"

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
	       c == '#' || c == '?';
}

/* A string begins. */
void decode_begin_string(struct strace_line *l);
/* A descriptor's path begins: that of an argument, or of the result. */
void decode_begin_file(struct strace_line *l, bool result);
void decode_end_file(struct strace_line *l);
/* A byte of a string or a path, without escapes. */
void decode_keep(struct strace_line *l, char c);

/* A byte of the arguments, outside of strings and paths. */
void decode_note_arg(struct strace_line *l, char c);
/* The same, of flags. */
void decode_note_flag(struct strace_line *l, char c);
