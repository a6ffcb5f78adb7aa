// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/said.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* The ways to handle the bytes of strings and paths. */
enum keeping {
	KEEP_NOTHING,
	KEEP_TEXT,
	KEEP_PATH, /* instead of the descriptor's text, if it is not empty */
	KEEP_DATA, /* its length, and the last byte */
};

static void start_text(struct strace_line *l)
{
	l->keeping = KEEP_TEXT;
	l->text_len = 0;
	l->said.cut = false;
}

void said_keep(struct strace_line *l, char c)
{
	if (l->keeping == KEEP_DATA) {
		l->said.data_len++;
		l->said.data_last = c;
		return;
	}
	if (l->keeping == KEEP_PATH) {
		l->said.file = false;
		start_text(l);
	}
	if (l->keeping == KEEP_TEXT && l->text_len < STRACE_TEXT_SIZE) {
		l->text[l->text_len++] = c;
	} else if (l->keeping == KEEP_TEXT) {
		l->said.cut = true;
	}
}

void said_begin_string(struct strace_line *l)
{
	l->keeping = KEEP_NOTHING;
	if (!l->keep)
		return;
	if (l->nr_arg == l->path_arg && !l->nested) {
		if (l->said.file)
			l->keeping = KEEP_PATH;
		else
			start_text(l);
		l->said.path = true;
	} else if (l->nr_arg == 1) {
		l->keeping = KEEP_DATA;
	}
}

void said_begin_file(struct strace_line *l, bool result)
{
	l->keeping = KEEP_NOTHING;
	if (!l->keep || (result && l->path_arg < 0) || (!result && l->path_arg == 0) ||
	    (!result && (l->nr_arg != 0 || !is_digit(l->arg[0]))))
		return;
	start_text(l);
	l->said.path = l->said.deleted = false;
	l->said.fd = result ? l->value : strtol(l->arg, NULL, 10);
}

void said_end_file(struct strace_line *l)
{
	l->said.file |= l->keeping == KEEP_TEXT;
	l->keeping = KEEP_NOTHING;
}

static void end_flag(struct strace_line *l)
{
	static const struct {
		const char *word;
		uint32_t flag;
	} flags[] = {
		{ "O_APPEND", O_APPEND }, { "O_SYNC", O_SYNC },	  { "O_DSYNC", O_DSYNC },
		{ "O_DIRECT", O_DIRECT }, { "O_TRUNC", O_TRUNC }, { "O_EXCL", O_EXCL },
	};

	l->flag[l->flag_len] = '\0';
	if (l->forks)
		l->makes_thread |= !strcmp(l->flag, "CLONE_THREAD");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (!strcmp(l->flag, flags[i].word))
			l->said.flags |= flags[i].flag;
	l->flag_len = 0;
}

void said_note_flag(struct strace_line *l, char c)
{
	if (is_name_char(c) && l->flag_len < sizeof(l->flag) - 1)
		l->flag[l->flag_len++] = c;
	else
		end_flag(l);
}

void said_note_arg(struct strace_line *l, char c)
{
	if (l->path_arg >= 0 && l->nr_arg == l->path_arg + 1)
		said_note_flag(l, c);
	if (c == '.' && l->nr_arg == l->path_arg)
		l->said.cut = true;
	else if (c == '.' && l->nr_arg == 1)
		l->said.data_cut = true;
	else if (c == '(' && l->last == '>' && l->said.file && l->nr_arg == 0)
		l->said.deleted = true;
	else if (c == '[' || c == '{')
		l->nested++;
	else if ((c == ']' || c == '}') && l->nested)
		l->nested--;
	else if (c == ',' && l->depth == 1 && !l->nested) {
		l->nr_arg++;
		l->said.last_arg = 0;
	} else if (is_digit(c)) {
		l->said.last_arg = l->said.last_arg * 10 + (uint64_t)(c - '0');
	}
}
