/* SPDX-License-Identifier: GPL-2.0 */
/* What is said of a command line that is wrong. */
#ifndef IOTRACE_USAGE_H
#define IOTRACE_USAGE_H

#include <argp.h>

/* Both say it on stderr and return EINVAL, which makes argp stop. The message may hold words of the user's. */
error_t usage_error(const char *message);
error_t usage_bad_value(const char *option, const char *value, const char *expected);

#endif
