// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/line.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/syscalls.h"

/* The ways to handle the bytes of strings and paths. */
enum keeping {
	KEEP_NOTHING,
	KEEP_TEXT,
	KEEP_PATH, /* It takes the place of the descriptor's text, if it is not empty. */
	KEEP_DATA, /* Its length and the last byte are kept. */
};

static void start_text(struct strace_line *l)
{
	l->keeping = KEEP_TEXT;
	l->text_len = l->said.given = 0;
	l->text[0] = '\0';
	l->said.cut = false;
}

static void add_byte(struct strace_line *l, char c)
{
	if (l->text_len == STRACE_TEXT_SIZE) {
		l->said.cut = true;
		return;
	}
	l->text[l->text_len++] = c;
	l->text[l->text_len] = '\0';
}

/* Begins a path, at the root or at the directory in the text. */
static void begin_path(struct strace_line *l, char c)
{
	l->said.file = l->said.empty = false;
	if (c == '/' || !l->text_len || l->text[0] != '/')
		start_text(l);
	else if (l->text[l->text_len - 1] != '/')
		add_byte(l, '/');
	l->said.given = l->text_len;
	l->keeping = KEEP_TEXT;
}

void decode_keep(struct strace_line *l, char c)
{
	if (l->keeping == KEEP_DATA) {
		l->said.data_len++;
		l->said.data_last = c;
		return;
	}
	if (l->keeping == KEEP_PATH)
		begin_path(l, c);
	if (l->keeping == KEEP_TEXT)
		add_byte(l, c);
}

void decode_begin_string(struct strace_line *l)
{
	l->keeping = KEEP_NOTHING;
	if (!l->keep)
		return;
	if (l->nr_arg == l->path_arg && !l->nested) {
		if (l->said.file || l->said.at_cwd)
			l->keeping = KEEP_PATH;
		else
			start_text(l);
		l->said.path = true;
		l->said.empty = l->keeping == KEEP_PATH;
	} else if (l->nr_arg == 1) {
		l->keeping = KEEP_DATA;
	}
}

/* Is this the directory of an *at call: "AT_FDCWD</tmp>"? */
static bool begins_at_cwd(const struct strace_line *l)
{
	return l->path_arg > 0 && l->arg_len == strlen("AT_FDCWD") &&
	       !memcmp(l->arg, "AT_FDCWD", l->arg_len);
}

void decode_begin_file(struct strace_line *l, bool result)
{
	bool at_cwd = !result && begins_at_cwd(l);

	l->keeping = KEEP_NOTHING;
	if (!l->keep || (result && l->path_arg < 0) || (!result && l->path_arg == 0) ||
	    (!result && (l->nr_arg != 0 || !(at_cwd || is_digit(l->arg[0])))))
		return;
	start_text(l);
	l->said.path = l->said.deleted = false;
	l->said.at_cwd = at_cwd;
	l->said.fd = result ? l->value : strtol(l->arg, NULL, 10);
}

void decode_end_file(struct strace_line *l)
{
	l->said.file |= l->keeping == KEEP_TEXT && !l->said.at_cwd;
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
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (!strcmp(l->flag, flags[i].word))
			l->said.flags |= flags[i].flag;
	l->flag_len = 0;
}

void decode_note_flag(struct strace_line *l, char c)
{
	if (is_name_char(c) && l->flag_len < sizeof(l->flag) - 1)
		l->flag[l->flag_len++] = c;
	else
		end_flag(l);
}

void decode_note_arg(struct strace_line *l, char c)
{
	if (l->path_arg >= 0 && l->nr_arg == l->path_arg + 1)
		decode_note_flag(l, c);
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

#define X32_BIT 0x40000000 /* It is set in the numbers of x32 calls. */

int strace_line_call(const struct strace_line *l, enum iotrace_abi *abi)
{
	long nr = l->number;

	*abi = l->address == 16 ? ABI_64 : ABI_32;
	if (l->numbers && nr >= X32_BIT) {
		*abi = ABI_X32;
		nr -= X32_BIT;
	} else if (!l->numbers) {
		if (*abi == ABI_32 && strstr(l->word, "#64"))
			*abi = ABI_X32;
		if (sscanf(l->word, "syscall_%li", &nr) == 1)
			nr &= X32_BIT - 1;
		else
			nr = syscall_number(*abi, l->word);
	}
	return nr >= 0 && nr < MAX_SYSCALL_NR ? (int)nr : -1;
}
