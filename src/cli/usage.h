/* SPDX-License-Identifier: GPL-2.0 */
/* Messages about a wrong command line. */
#pragma once

#include <argp.h>

/*
 * Both print a message on stderr and return EINVAL, which makes argp stop. The message may contain
 * text from the user.
 */
error_t usage_error(const char *message);
error_t usage_bad_value(const char *option, const char *value, const char *expected);
