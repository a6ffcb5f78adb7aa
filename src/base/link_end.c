// SPDX-License-Identifier: GPL-2.0
#include "base/link_end.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kernel follows as many (MAXSYMLINKS in include/linux/namei.h). */
#define MAX_LINKS 40

/* Returns where a link leads, from the folder of the link. */
static char *follow(const char *link, const char *to)
{
	const char *slash = strrchr(link, '/');
	char *path;

	if (*to == '/' || !slash)
		return strdup(to);
	if (asprintf(&path, "%.*s/%s", (int)(slash - link), link, to) < 0)
		return NULL;
	return path;
}

void cut_slashes(char *path)
{
	for (size_t len = strlen(path); len > 1 && path[len - 1] == '/'; len--)
		path[len - 1] = '\0';
}

char *link_end(const char *path)
{
	char *end = strdup(path), *next, to[PATH_MAX];

	for (int i = 0; end && i <= MAX_LINKS; i++) {
		ssize_t len;

		cut_slashes(end);
		len = readlink(end, to, sizeof(to) - 1);
		if (len < 0)
			return end;
		to[len] = '\0';
		next = follow(end, to);
		free(end);
		end = next;
	}
	if (end)
		errno = ELOOP;
	free(end);
	return NULL;
}
