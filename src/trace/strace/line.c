// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno_name.h"

/* The position of the next byte in a line. */
enum state {
	PID,	 /* The pid, at the beginning. */
	COMM,	 /* The name of the task, "7<cat>". */
	LEAD,	 /* Before the name: fields, or what the line is about if it is not a call. */
	FIELD,	 /* "[ 257]" or "[00007f0f562d5829]" */
	NAME,	 /* The name of a call. */
	RESUMED, /* "<... read resumed>" */
	ARGS,
	STRING,
	ESCAPE,	    /* After a backslash in a string or a path. */
	OCTAL,	    /* After a digit of "\303". */
	MARK,	    /* "<unfinished ...>" */
	PATH_START, /* A descriptor's path, "3</tmp/x>", or the operator of "1<<2". */
	PATH,
	PATH_ARROW, /* After "->", which is part of a socket's name or ends a path. */
	AFTER,	    /* Between the arguments and the equals sign. */
	RESULT,	    /* After the equals sign. */
	VALUE,
	REST, /* The rest of what is said of a result. */
	NOTE, /* "3045 in strace's PID NS", in a comment. */
	ERROR_NAME,
	ERROR_NUMBER, /* "(errno 530)" */
	TIME,
	TIME_END,
	EVENT, /* "+++ exited with 0 +++" */
	FRAME, /* A frame of a stack; no other line begins with a blank. */
	SKIP,  /* What is skipped, to the end of the line. */
};

static void start_word(struct strace_line *l, enum state state)
{
	l->state = state;
	l->word_len = 0;
	l->word[0] = '\0';
}

static void add_char(struct strace_line *l, char c)
{
	if (l->word_len < sizeof(l->word) - 1)
		l->word[l->word_len++] = c;
	l->word[l->word_len] = '\0';
}

/* ---- before the parentheses ---- */

/* Ends "[ 257]", if there are numbers, and then "[00007f0f562d5829]". */
static void finish_field(struct strace_line *l)
{
	unsigned long number;
	char *end;

	l->state = LEAD;
	if (l->fields++ || !l->numbers) {
		l->address = (unsigned)l->word_len;
		return;
	}
	number = strtoul(l->word, &end, 10);
	if (end != l->word && !*end && number <= INT32_MAX)
		l->number = (long)number;
}

static void step_lead(struct strace_line *l, char c)
{
	if (c == ' ')
		return;
	if (c == '[') {
		start_word(l, FIELD);
	} else if (c == '<') {
		start_word(l, RESUMED);
	} else if (c == '+' || is_name_char(c)) {
		start_word(l, c == '+' ? EVENT : NAME);
		add_char(l, c);
	} else {
		l->state = SKIP;
	}
}

static enum strace_line_event begin_args(struct strace_line *l, enum strace_line_event event)
{
	l->call = true;
	l->in_arg = event == LINE_CALL;
	l->depth = 1;
	l->state = ARGS;
	return event;
}

static enum strace_line_event step_resumed(struct strace_line *l, char c)
{
	static const char resumed[] = " resumed";
	const size_t len = sizeof(resumed) - 1;

	if (c != '>') {
		add_char(l, c);
		return LINE_MORE;
	}
	l->state = SKIP;
	if (l->word_len < len || strcmp(l->word + l->word_len - len, resumed) != 0)
		return LINE_MORE;
	return begin_args(l, LINE_RESUMED);
}

static enum strace_line_event step_start(struct strace_line *l, char c)
{
	switch (l->state) {
	case PID:
		if (c == ' ' && !l->pid && l->stacks)
			l->state = FRAME;
		else if (is_digit(c))
			l->pid = l->pid > STRACE_MAX_PID ? l->pid : l->pid * 10 + (c - '0');
		else if (c == '<' && l->pid > 0)
			l->state = COMM;
		else
			l->state = c == ' ' && l->pid > 0 && l->pid <= STRACE_MAX_PID ? LEAD : SKIP;
		break;
	case FIELD:
		if (c == ']')
			finish_field(l);
		else
			add_char(l, c);
		break;
	case NAME:
		if (c == '(')
			return begin_args(l, LINE_CALL);
		if (is_name_char(c))
			add_char(l, c);
		else
			l->state = SKIP;
		break;
	case RESUMED:
		return step_resumed(l, c);
	default: /* LEAD */
		step_lead(l, c);
	}
	return LINE_MORE;
}

/* ---- in strings, paths and names of tasks ---- */

static void start_path(struct strace_line *l, enum state after)
{
	l->state = PATH_START;
	l->after_path = after;
}

static void end_path(struct strace_line *l)
{
	l->state = l->after_path;
	decode_end_file(l);
}

static void start_escape(struct strace_line *l, enum state back)
{
	l->state = ESCAPE;
	l->after_escape = back;
}

/* Keeps a byte that was not escaped, or is not any more. */
static void keep_byte(struct strace_line *l, enum state where, char c)
{
	size_t len = strlen(l->comm);

	if (where != COMM)
		decode_keep(l, c);
	else if (len < sizeof(l->comm) - 1)
		l->comm[len] = c;
}

static void step_comm(struct strace_line *l, char c)
{
	if (c == '>')
		l->state = PID;
	else if (c == '\\')
		start_escape(l, COMM);
	else
		keep_byte(l, COMM, c);
}

/* Takes the byte after a backslash: of "\n", of "\\", or the first digit of "\303". */
static void step_escape(struct strace_line *l, char c)
{
	static const char letters[] = "nrtvfab", bytes[] = "\n\r\t\v\f\a\b";
	const char *letter = c ? strchr(letters, c) : NULL;

	if (c >= '0' && c <= '7') {
		l->octal = (unsigned)(c - '0');
		l->nr_octal = 1;
		l->state = OCTAL;
		return;
	}
	keep_byte(l, l->after_escape, letter ? bytes[letter - letters] : c);
	l->state = l->after_escape;
}

/* Returns whether the byte is another digit. */
static bool step_octal(struct strace_line *l, char c)
{
	if (c >= '0' && c <= '7' && l->nr_octal < 3) {
		l->octal = l->octal * 8 + (unsigned)(c - '0');
		l->nr_octal++;
		return true;
	}
	keep_byte(l, l->after_escape, (char)l->octal);
	l->state = l->after_escape;
	return false;
}

/* ---- between the parentheses ---- */

static void step_args(struct strace_line *l, char c)
{
	if (l->in_arg && is_name_char(c) && l->arg_len < sizeof(l->arg) - 1)
		l->arg[l->arg_len++] = c;
	else
		l->in_arg = false;
	if (l->keep)
		decode_note_arg(l, c);
	else if (l->forks)
		decode_note_flag(l, c);
	switch (c) {
	case '"':
		l->state = STRING;
		decode_begin_string(l);
		break;
	case '(':
		l->depth++;
		break;
	case ')':
		if (--l->depth == 0)
			l->state = AFTER;
		break;
	case '<':
		/* After a number or AT_FDCWD, a path begins. */
		if (is_digit(l->last) || l->last == 'D') {
			start_path(l, ARGS);
		} else {
			start_word(l, MARK);
		}
		break;
	}
}

static void step_string(struct strace_line *l, char c)
{
	if (c == '"')
		l->state = ARGS;
	else if (c == '\\')
		start_escape(l, STRING);
	else
		decode_keep(l, c);
}

static void step_mark(struct strace_line *l, char c)
{
	if (c != '>') {
		add_char(l, c);
		/* Marks begin with these characters; anything else is an operator. */
		if (l->word_len == 1 && c != '.' && (c < 'a' || c > 'z'))
			l->state = ARGS;
		return;
	}
	l->state = ARGS;
	if (!strcmp(l->word, "unfinished ...") || !strcmp(l->word, "detached ...") ||
	    !strncmp(l->word, "pid changed to ", 15))
		l->marked = true;
}

static void step_rest(struct strace_line *l, char c);

/*
 * Takes a quote in a path's place: a unix socket's name stands in them, UNIX-STREAM:[1->2,@"a>b"].
 * Brackets within are not escaped; quotes are, there and in paths.
 */
static void quote_in_path(struct strace_line *l)
{
	l->quoted = !l->quoted && (l->last == ',' || l->last == '@');
	decode_keep(l, '"');
}

static void keep_in_path(struct strace_line *l, char c)
{
	if (c == '<')
		l->angles++;
	else if (c == '>')
		l->angles--;
	decode_keep(l, c);
}

/* Takes the byte after "->", which is an arrow within a path, or a path's last byte and its end. */
static void step_arrow(struct strace_line *l, char c)
{
	if (memchr(",) ]}(>", c, 7) && l->angles == 1) {
		end_path(l);
		if (l->state == ARGS)
			step_args(l, c);
		else
			step_rest(l, c);
		return;
	}
	if (memchr(",) ]}(>", c, 7))
		l->angles--;
	l->state = PATH;
	decode_keep(l, '>');
	decode_keep(l, c);
}

/*
 * Takes a byte of a path. strace escapes angle brackets in paths; unescaped ones are its own, and
 * nest.
 */
static void step_path(struct strace_line *l, char c)
{
	switch (l->state) {
	case PATH_START:
		if (c == '<') {
			l->state = l->after_path;
			break;
		}
		l->state = PATH;
		l->angles = 1;
		l->quoted = false;
		l->last = 0;
		decode_begin_file(l, l->after_path == REST);
		/* fall through */
	case PATH:
		if (c == '\\')
			start_escape(l, PATH);
		else if (c == '"')
			quote_in_path(l);
		else if (l->quoted)
			decode_keep(l, c);
		else if (c == '>' && l->last == '-')
			l->state = PATH_ARROW;
		else if (c == '>' && l->angles == 1)
			end_path(l);
		else
			keep_in_path(l, c);
		break;
	default: /* PATH_ARROW */
		step_arrow(l, c);
	}
}

/* ---- after the parentheses ---- */

/* Reads a result: "?", "-1", "0", "10", "0x7f5b688ee2ad". */
static void finish_value(struct strace_line *l)
{
	char *end;

	l->may_fail = true;
	l->outcome = OUTCOME_NEVER;
	if (!strcmp(l->word, "?"))
		return;
	errno = 0;
	if (l->word[0] == '-')
		l->value = strtoll(l->word, &end, 0);
	else
		l->value = (int64_t)strtoull(l->word, &end, 0);
	l->outcome = end != l->word && !*end && !errno ? OUTCOME_RETURNED : OUTCOME_BAD;
	l->may_fail = l->value == -1;
}

static void finish_error(struct strace_line *l, int err)
{
	l->err = err;
	l->failed = true;
	l->outcome = OUTCOME_RETURNED;
}

/*
 * Takes the number of an error. strace prints numbers that are no errnos of the kernel if a task is
 * killed during a stop.
 */
static void finish_error_number(struct strace_line *l, unsigned long long number)
{
	if (number >= 1 && number < 4096)
		finish_error(l, (int)number);
	else
		l->outcome = OUTCOME_UNREADABLE;
}

/*
 * Takes a byte after a result. A word can be an errno only right after the value, and a time only
 * at the end of the line.
 */
static void step_rest(struct strace_line *l, char c)
{
	bool may_fail = l->may_fail && l->last == ' ';

	if (c != ' ')
		l->may_fail = false;
	if (c == '(' && l->last == '>' && l->said.file)
		l->said.deleted = true;
	if (c == '*' && l->last == '/') {
		start_word(l, NOTE);
	} else if (c == 'E' && may_fail) {
		start_word(l, ERROR_NAME);
		add_char(l, c);
	} else if (c == '(' && may_fail) {
		start_word(l, ERROR_NUMBER);
	} else if (c == '<' && l->last == ' ') {
		l->state = TIME;
		l->ns = 0;
		l->in_fraction = false;
	}
}

/* Takes a byte of the time in seconds: "0.000004824", in any number of digits. */
static void step_time(struct strace_line *l, char c)
{
	if (is_digit(c) && !l->in_fraction && l->ns < UINT64_MAX / 100) {
		l->ns = l->ns * 10 + (uint64_t)(c - '0') * 1000000000;
	} else if (is_digit(c) && l->in_fraction) {
		l->ns += l->digit_ns * (uint64_t)(c - '0');
		l->digit_ns /= 10;
	} else if (c == '.' && !l->in_fraction) {
		l->in_fraction = true;
		l->digit_ns = 100000000;
	} else if (c == '>' && is_digit(l->last)) {
		l->state = TIME_END;
	} else {
		l->state = REST;
	}
}

static void step_error(struct strace_line *l, char c)
{
	if (l->state == ERROR_NAME && (is_digit(c) || (c >= 'A' && c <= 'Z') || c == '_')) {
		add_char(l, c);
	} else if (l->state == ERROR_NAME) {
		finish_error(l, errno_number(l->word));
		l->state = REST;
	} else if (c != ')') {
		add_char(l, c);
	} else {
		if (!strncmp(l->word, "errno ", 6))
			finish_error_number(l, strtoull(l->word + 6, NULL, 10));
		l->state = REST;
	}
}

static void step_note(struct strace_line *l, char c)
{
	long pid;
	char s;

	if (c != '/' || l->last != '*') {
		add_char(l, c);
		return;
	}
	if (sscanf(l->word, " %ld in strace'%c PID NS", &pid, &s) == 2)
		l->translated = pid;
	l->state = REST;
}

static void step_result(struct strace_line *l, char c)
{
	switch (l->state) {
	case AFTER:
		if (c != ' ')
			l->state = c == '=' ? RESULT : SKIP;
		break;
	case RESULT:
		if (c == ' ')
			break;
		start_word(l, VALUE);
		/* fall through */
	case VALUE:
		if (is_name_char(c) || c == '-') {
			add_char(l, c);
			break;
		}
		finish_value(l);
		if (c == '<')
			start_path(l, REST);
		else
			l->state = REST;
		break;
	case ERROR_NAME:
	case ERROR_NUMBER:
		step_error(l, c);
		break;
	case TIME:
		step_time(l, c);
		break;
	case NOTE:
		step_note(l, c);
		break;
	case TIME_END: /* That was not the end. */
		l->state = REST;
		/* fall through */
	default:
		step_rest(l, c);
	}
}

/* Keeps a byte of a frame. What is too long is cut, and is no frame then. */
static void keep_of_frame(struct strace_line *l, char c)
{
	if (l->text_len < STRACE_TEXT_SIZE)
		l->text[l->text_len++] = c;
}

static enum strace_line_event end_line(struct strace_line *l)
{
	if (l->state == FRAME) {
		l->text[l->text_len] = '\0';
		return LINE_FRAME;
	}
	if (l->state == EVENT)
		l->outcome = OUTCOME_TASK_EVENT;
	else if (l->state == VALUE)
		finish_value(l);
	else if (l->state == ERROR_NAME)
		finish_error(l, errno_number(l->word));
	else if (l->state == TIME_END)
		l->timed = true;
	else if (l->state == ARGS && l->marked)
		l->outcome = OUTCOME_UNFINISHED;

	if (l->call && l->outcome == OUTCOME_NONE)
		l->outcome = OUTCOME_BAD;
	return LINE_END;
}

enum strace_line_event strace_line_step(struct strace_line *l, char c)
{
	enum strace_line_event event = LINE_MORE;

	if (c == '\n')
		return end_line(l);
	switch (l->state) {
	case PID:
	case LEAD:
	case FIELD:
	case NAME:
	case RESUMED:
		event = step_start(l, c);
		break;
	case COMM:
		step_comm(l, c);
		break;
	case ARGS:
		step_args(l, c);
		break;
	case STRING:
		step_string(l, c);
		break;
	case ESCAPE:
		step_escape(l, c);
		break;
	case OCTAL:
		if (!step_octal(l, c))
			return strace_line_step(l, c);
		break;
	case MARK:
		step_mark(l, c);
		break;
	case PATH_START:
	case PATH:
	case PATH_ARROW:
		step_path(l, c);
		if (l->state == ARGS && l->said.file && !l->nr_arg)
			event = LINE_FILE;
		break;
	case EVENT:
		add_char(l, c);
		break;
	case FRAME:
		keep_of_frame(l, c);
		break;
	case SKIP:
		break;
	default:
		step_result(l, c);
	}
	l->last = c;
	return event;
}

void strace_line_start(struct strace_line *l)
{
	*l = (struct strace_line){
		.numbers = l->numbers,
		.stacks = l->stacks,
		.number = -1,
		.path_arg = -1,
		.state = PID,
	};
}

void strace_line_skip(struct strace_line *l)
{
	l->call = false;
	l->state = SKIP;
}

bool strace_line_skipping(const struct strace_line *l)
{
	return l->state == SKIP;
}
