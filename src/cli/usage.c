// SPDX-License-Identifier: GPL-2.0
#include "cli/usage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"

error_t usage_error(const char *message)
{
	char text[800];

	ESCAPE_TEXT(text, message);
	message_error("%s; see 'iotrace --help'", text);
	return EINVAL;
}

error_t usage_bad_value(const char *option, const char *value, const char *expected)
{
	char message[400];

	snprintf(message, sizeof(message), "invalid %s '%.100s': it must be %s", option, value,
		 expected);
	return usage_error(message);
}
