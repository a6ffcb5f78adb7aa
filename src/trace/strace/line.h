/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a line of strace's log byte by byte: a state machine that keeps only what is in the struct.
 * For parse.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/iotrace.h"

#define STRACE_WORD_SIZE 80
#define STRACE_MAX_PID	 4194304 /* PID_MAX_LIMIT of include/linux/threads.h */

/* What the last byte has completed. */
enum strace_line_event {
	LINE_MORE,
	LINE_CALL,    /* "read(", whose name is in word. */
	LINE_RESUMED, /* "<... read resumed>" */
	LINE_FILE,    /* The text of the first argument's file. */
	LINE_FRAME,   /* The line was a frame of the last call's stack, which is in text. */
	LINE_END,
};

/* The outcome of the call of a line. */
enum strace_line_outcome {
	OUTCOME_NONE,	    /* The line is not about a call. */
	OUTCOME_RETURNED,   /* The call has returned value or err. */
	OUTCOME_NEVER,	    /* "= ?": the task has ended inside the call. */
	OUTCOME_UNREADABLE, /* It has returned, but strace did not see the result. */
	OUTCOME_UNFINISHED, /* More of it comes later. */
	OUTCOME_BAD,	    /* It cannot be understood. */
	OUTCOME_TASK_EVENT, /* The event of a task, "+++ ... +++", is in word. */
};

#define STRACE_TEXT_SIZE 4200 /* PATH_MAX, and what strace adds */

/*
 * What a line says of a file: that of the first argument, or that of an opening. The text (in
 * strace_line) is the one in angle brackets, or the path. A relative path is below the first
 * argument's directory, if there is one; otherwise it is as it was given. Of a descriptor with an
 * empty path, both are known, and the text is the descriptor's.
 */
struct strace_said {
	bool file;    /* The text is that of the descriptor fd. */
	bool path;    /* The text is the path of an opening. */
	bool at_cwd;  /* The first argument is AT_FDCWD, and the text begins with that directory. */
	bool empty;   /* The path is empty. */
	size_t given; /* Index in the text of the path as it was given. */
	bool deleted; /* "(deleted)" follows the text. */
	bool cut;
	bool data_cut; /* More was to be written than strace shows. */
	char data_last;
	long fd;
	uint32_t flags;	   /* FILE_FLAGS and FILE_O_ANEW, of an opening. */
	uint64_t last_arg; /* The last argument, if it is a number: how much a read asks for. */
	uint64_t data_len; /* Length of the second argument's strings. */
};

struct strace_line {
	/*
	 * The log has numbers before names, and stacks below calls, whose text is kept.
	 * strace_line_start() resets the other members.
	 */
	bool numbers, stacks;

	pid_t pid;
	char comm[16];	  /* Name of the task, with -Y. Untrusted bytes. "": there is none. */
	long number;	  /* The number of -n. -1: there is none. */
	unsigned address; /* Number of digits of the address that -i prints. */
	enum strace_line_outcome outcome;
	int64_t value;
	/* The pid in our namespace, if the value is one in another. 0: it is the value. */
	int64_t translated;
	bool failed;
	int err;    /* 0 although the call failed: the errno has no known name. */
	bool timed; /* The line ends in a time. */
	uint64_t ns;
	char arg[16]; /* The beginning of the first argument. */
	size_t arg_len;
	char word[STRACE_WORD_SIZE]; /* Longer words are cut, and mean nothing. */
	size_t word_len;

	/*
	 * The caller sets these two after LINE_CALL and LINE_RESUMED: keep says to keep what the
	 * line says of the file.
	 */
	bool keep;
	int path_arg; /* Index of the argument that is the path. -1: none is. */
	struct strace_said said;
	/* The caller sets this one, too: it says to look for what makes the new task a thread. */
	bool forks;
	bool makes_thread; /* CLONE_THREAD is among the flags. */
	size_t text_len;

	/* The rest is for the state machine alone. */
	int keeping;
	int nr_arg;
	unsigned nested; /* Number of open square brackets and braces. */
	unsigned octal, nr_octal;
	char flag[16];
	size_t flag_len;
	int state, after_path, after_escape;
	unsigned fields;
	unsigned depth;	 /* Number of open parentheses. */
	unsigned angles; /* Number of open angle brackets, in a path. */
	bool quoted;	 /* The byte is within a socket's name, in the place of a path. */
	char last;
	bool call;     /* The line is about a call. */
	bool in_arg;   /* The byte is in the first argument. */
	bool marked;   /* The call is marked as unfinished. */
	bool may_fail; /* What comes next may be an errno. */
	bool in_fraction;
	uint64_t digit_ns; /* What the next digit of the fraction is worth. */

	char text[]; /* Room for STRACE_TEXT_SIZE bytes and a NUL, where lines are kept. */
};

void strace_line_start(struct strace_line *l);

/* Takes a byte. After LINE_END the fields are those of the whole line, until the next start. */
enum strace_line_event strace_line_step(struct strace_line *l, char c);

void strace_line_skip(struct strace_line *l);
bool strace_line_skipping(const struct strace_line *l);

/* ---- decode.c: what a line says of its call, of a file, and of a new task's flags ---- */

/*
 * Returns the number of the call of a line, and its ABI; -1 if it cannot be counted. Without
 * numbers in the log, x32 calls look like 32-bit calls; hardly any program uses x32.
 */
int strace_line_call(const struct strace_line *l, enum iotrace_abi *abi);

/* The rest is for line.c. */

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
	       c == '#' || c == '?';
}

/* Notes that a string begins. */
void decode_begin_string(struct strace_line *l);
/* Notes that a descriptor's path begins: that of an argument, or of the result. */
void decode_begin_file(struct strace_line *l, bool result);
void decode_end_file(struct strace_line *l);
/* Keeps a byte of a string or a path, as it is without escapes. */
void decode_keep(struct strace_line *l, char c);

/* Notes a byte of the arguments, outside of strings and paths. */
void decode_note_arg(struct strace_line *l, char c);
/* Notes a byte of the flags of a creation. */
void decode_note_flag(struct strace_line *l, char c);
