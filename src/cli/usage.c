// SPDX-License-Identifier: GPL-2.0
#include "cli/usage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/message.h"
#include "base/parse.h"
#include "base/text.h"

#define CENTURY (100 * 365.25 * 86400) /* In seconds. */

error_t usage_error(const char *fmt, ...)
{
	char message[800], text[800];
	va_list args;

	va_start(args, fmt);
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	ESCAPE_TEXT(text, message);
	message_error("%s; see 'iotrace --help'", text);
	return EINVAL;
}

error_t usage_seconds(const char *option, const char *arg, uint64_t low_ns, uint64_t *ns)
{
	char *end;
	double seconds;

	errno = 0;
	seconds = strtod(arg, &end);
	if (end == arg || *end || errno || !(seconds * 1e9 >= (double)low_ns && seconds <= CENTURY))
		return usage_bad_value(
			option, arg,
			low_ns == 1
				? "a number of seconds above 0, and a century (3155760000) at most"
			: low_ns ? "a number of seconds from 0.001 to a century (3155760000)"
				 : "a number of seconds from 0 to a century (3155760000)");
	*ns = (uint64_t)(seconds * 1e9);
	return 0;
}

void usage_no_stacks(const char *path)
{
	char name[256];

	message_error(
		"the capture '%s' has no stacks: take it without --no-stacks and --no-files, or with --stacks if it is by strace",
		ESCAPE_TEXT(name, path));
}

error_t usage_bad_value(const char *option, const char *value, const char *expected)
{
	return usage_error("invalid %s '%.100s': it must be %s", option, value, expected);
}

error_t usage_number(const char *option, const char *arg, uint64_t low, uint64_t high,
		     uint64_t *value)
{
	char expected[80];

	if (parse_number(value, arg, low, high))
		return 0;
	snprintf(expected, sizeof(expected), "a number from %" PRIu64 " to %" PRIu64, low, high);
	return usage_bad_value(option, arg, expected);
}

/* Prints argp's messages. Backslashes stay single: what iotrace itself says is escaped already. */
static error_t print_lines(const char *text)
{
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		char *escaped;

		len = strcspn(text, "\n");
		escaped = escape_text_dup(text, len);
		if (!escaped)
			return ENOMEM;
		for (const char *c = escaped; *c; c++) {
			c += c[0] == '\\' && c[1] == '\\';
			fputc(*c, stderr);
		}
		fputc('\n', stderr);
		free(escaped);
	}
	return 0;
}

error_t usage_parse(const struct argp *argp, const char *subcommand, int argc, char **argv,
		    unsigned flags, void *input)
{
	char *text = NULL;
	size_t size;
	FILE *real = stderr, *said = open_memstream(&text, &size);
	error_t err = ENOMEM, printed;

	/* These stand in front of what argp prints. */
	program_invocation_short_name = (char *)(subcommand ?: "iotrace");
	if (subcommand)
		program_invocation_name = argv[0] = (char *)subcommand;
	if (said) {
		stderr = said;
		err = argp_parse(argp, argc, argv, flags | ARGP_NO_HELP | ARGP_NO_EXIT, NULL,
				 input);
		stderr = real;
		printed = fclose(said) ? ENOMEM : print_lines(text);
		err = err ?: printed;
	}
	free(text);
	if (err == ENOMEM)
		message_error("%s", explain_errno(ENOMEM));
	return err;
}

error_t usage_help(struct argp_state *state, unsigned flags, bool *done)
{
	argp_state_help(state, stdout, flags);
	*done = true;
	state->next = state->argc;
	return 0;
}
