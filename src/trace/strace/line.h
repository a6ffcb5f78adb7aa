/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a line of strace's log byte by byte: a state machine that keeps only what is in the struct,
 * and one text. For parse.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define STRACE_WORD_SIZE 80
#define STRACE_MAX_PID	 4194304 /* PID_MAX_LIMIT of include/linux/threads.h */

/* The effect of the last byte. */
enum strace_line_event {
	LINE_MORE,
	LINE_CALL,    /* "read(": word is the name */
	LINE_RESUMED, /* "<... read resumed>" */
	LINE_FILE,    /* the text of the first argument's file is complete */
	LINE_END,
};

/* The outcome of the call of a line. */
enum strace_line_outcome {
	OUTCOME_NONE,	    /* the line is not about a call */
	OUTCOME_RETURNED,   /* value, err */
	OUTCOME_NEVER,	    /* "= ?": its task ended inside */
	OUTCOME_UNREADABLE, /* it returned, but strace did not see the result */
	OUTCOME_UNFINISHED, /* more of it comes later */
	OUTCOME_BAD,	    /* not to be understood */
	OUTCOME_TASK_EVENT, /* "+++ ... +++" in word */
};

#define STRACE_TEXT_SIZE 4200 /* PATH_MAX, and what strace adds */

/*
 * A line says this of a file: of that of the first argument, or of an opening. The text (in
 * strace_line) is the one in angle brackets, or the path. A relative path is below the first
 * argument's directory, if there is one, and as it was given otherwise. Of a descriptor and an
 * empty path, both are said, and the text is the descriptor's.
 */
struct strace_said {
	bool file;    /* the text is a descriptor's, of fd */
	bool path;    /* it is the path of an opening */
	bool at_cwd;  /* the first argument is AT_FDCWD: the text begins with what that is */
	bool empty;   /* the path has no character */
	size_t given; /* the place in the text at which the path as it was given begins */
	bool deleted; /* "(deleted)" follows */
	bool cut;
	bool data_cut; /* more was to be written than strace shows */
	char data_last;
	long fd;
	uint32_t flags;	   /* of an opening: FILE_FLAGS and FILE_O_ANEW */
	uint64_t last_arg; /* a number: how many bytes a read asked for */
	uint64_t data_len; /* of the second argument's strings */
};

struct strace_line {
	/* Are there numbers before names? strace_line_start() resets the other fields. */
	bool numbers;

	pid_t pid;
	long number;	  /* of -n, as it stands there; -1: none */
	unsigned address; /* how many digits the address of -i has */
	enum strace_line_outcome outcome;
	int64_t value;
	int64_t translated; /* of a pid in a namespace: the pid in ours; 0: it is the value */
	bool failed;
	int err;    /* 0 although it failed: an errno of no known name */
	bool timed; /* there is a time at the end */
	uint64_t ns;
	char arg[16]; /* the first argument's beginning */
	size_t arg_len;
	char word[STRACE_WORD_SIZE]; /* longer ones are cut, and so mean nothing */
	size_t word_len;

	/*
	 * After LINE_CALL and LINE_RESUMED, for the caller to set: keep what is said of the file.
	 */
	bool keep;
	int path_arg; /* which argument is the path; -1: none */
	struct strace_said said;
	/* The same, for the caller to set: look for what makes the new task a thread. */
	bool forks;
	bool makes_thread; /* CLONE_THREAD is among the flags */
	size_t text_len;

	/* The state machine's own. */
	int keeping;
	int nr_arg;
	unsigned nested; /* square brackets and braces */
	unsigned octal, nr_octal;
	char flag[16];
	size_t flag_len;
	int state, after_path, after_escape;
	unsigned fields;
	unsigned depth;	 /* of parentheses */
	unsigned angles; /* of a path's angle brackets */
	bool quoted;	 /* within a socket's name in a path's place */
	char last;
	bool call;     /* the line is about one */
	bool in_arg;   /* the first */
	bool marked;   /* as unfinished */
	bool may_fail; /* what comes next may be an errno */
	bool in_fraction;
	uint64_t digit_ns; /* what the next digit of the fraction is worth */

	char text[]; /* Room for STRACE_TEXT_SIZE bytes and a NUL, where lines are kept. */
};

void strace_line_start(struct strace_line *l);

/* Takes a byte. After LINE_END the fields are those of the whole line, until the next start. */
enum strace_line_event strace_line_step(struct strace_line *l, char c);

/* Skips the rest of the line. */
void strace_line_skip(struct strace_line *l);
bool strace_line_skipping(const struct strace_line *l);

/* ---- decode.c: what a line says of a file, and of a new task's flags. For line.c. ---- */

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
