/* SPDX-License-Identifier: GPL-2.0 */
/* Messages about a wrong command line, and the help. */
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* Flags of argp_help() for all of the help. */
#define USAGE_HELP (ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC)

/*
 * Does as argp_parse(), but escapes the words of the command line in its messages. A subcommand's
 * messages begin with its name, which becomes argv[0]; NULL: there is no subcommand. Returns 0, or
 * an errno after a message.
 */
error_t usage_parse(const struct argp *argp, const char *subcommand, int argc, char **argv,
		    unsigned flags, void *input);

/*
 * Prints a help on stdout, with flags of argp_help(), unless they are 0. Sets *done, and has argp
 * go through no more arguments.
 */
error_t usage_help(struct argp_state *state, unsigned flags, bool *done);

/*
 * These print a message on stderr and return EINVAL, which makes argp stop. The message may contain
 * text from the user, not escaped yet.
 */
error_t usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
error_t usage_bad_value(const char *option, const char *value, const char *expected);

/* Parses a number from low to high. 0, or EINVAL after a message. */
error_t usage_number(const char *option, const char *arg, uint64_t low, uint64_t high,
		     uint64_t *value);

/* Parses a number of seconds, from so many ns to a century. 0, or EINVAL after a message. */
error_t usage_seconds(const char *option, const char *arg, uint64_t low_ns, uint64_t *ns);

/* Says that a capture has no stacks, and how to take one that has. */
void usage_no_stacks(const char *path);

/* ---- help.c ---- */

/*
 * A help filter of argp: the lists in --help come from their tables. Returns text, or a copy in
 * which "{columns}" is replaced by the columns' names, and so on; NULL: no memory.
 */
char *help_fill_lists(int key, const char *text, void *input);
