// SPDX-License-Identifier: GPL-2.0
#include "base/message.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *diverted;
static size_t diverted_size;

void message_divert(char *buf, size_t size)
{
	diverted = buf;
	diverted_size = size;
}

void message_say(const char *kind, const char *fmt, ...)
{
	va_list args;
	char *line;
	int len;

	va_start(args, fmt);
	if (diverted) {
		if (!diverted[0])
			vsnprintf(diverted, diverted_size, fmt, args);
		va_end(args);
		return;
	}
	len = vasprintf(&line, fmt, args);
	va_end(args);
	if (len < 0)
		return;
	/* One call, so that lines of several processes do not mix. */
	fprintf(stderr, "iotrace: %s: %s\n", kind, line);
	free(line);
}

void message_urgent(const char *fmt, ...)
{
	static const char start[] = "iotrace: error: ";
	struct pollfd room = { .fd = STDERR_FILENO, .events = POLLOUT };
	/* A pipe that has room takes this much at once (PIPE_BUF). */
	char line[4096];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(line, sizeof(line) - sizeof(start), fmt, args);
	va_end(args);
	if (len < 0 || poll(&room, 1, 0) <= 0)
		return;
	dprintf(STDERR_FILENO, "%s%s\n", start, line);
}
