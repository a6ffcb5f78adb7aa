// SPDX-License-Identifier: GPL-2.0
#include "base/parse.h"

#include <errno.h>
#include <stdlib.h>

bool parse_number(uint64_t *value, const char *text, uint64_t low, uint64_t high)
{
	unsigned long long number;
	char *end;

	/* strtoull() takes blanks and signs. */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (*end || errno || number < low || number > high)
		return false;
	*value = number;
	return true;
}
