/* SPDX-License-Identifier: GPL-2.0 */
/* Messages about a wrong command line. */
#pragma once

#include <argp.h>
#include <stdint.h>

/* As argp_parse(), but escapes the words of the command line in its messages. */
error_t usage_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/*
 * Both print a message on stderr and return EINVAL, which makes argp stop. The message may contain
 * text from the user, not escaped yet.
 */
error_t usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
error_t usage_bad_value(const char *option, const char *value, const char *expected);

/* Parses a number from low to high. 0, or EINVAL after a message. */
error_t usage_number(const char *option, const char *arg, uint64_t low, uint64_t high,
		     uint64_t *value);
