// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/path_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/link_end.h"

struct strace_path_filter {
	size_t nr;
	struct filter_path {
		char *given, *real; /* They have no slashes at the end. */
	} path[];
};

/* The real path of a file that does not exist yet, in a directory that does. */
static char *real_in_directory(const char *path)
{
	char *copy = link_end(path), *slash = copy ? strrchr(copy, '/') : NULL, *real = NULL,
	     *directory;

	if (!copy)
		return NULL;
	if (slash)
		*slash = '\0';
	directory = realpath(!slash ? "." : slash == copy ? "/" : copy, NULL);
	if (directory &&
	    asprintf(&real, "%s/%s", directory[1] ? directory : "", slash ? slash + 1 : copy) < 0)
		real = NULL;
	free(directory);
	free(copy);
	return real;
}

struct strace_path_filter *strace_path_filter__new(const char *const *paths, size_t nr)
{
	struct strace_path_filter *only = calloc(1, sizeof(*only) + nr * sizeof(*only->path));

	for (; only && only->nr < nr; only->nr++) {
		struct filter_path *path = &only->path[only->nr];

		path->given = strdup(paths[only->nr]);
		if (path->given)
			cut_slashes(path->given);
		path->real = realpath(paths[only->nr], NULL);
		if (!path->real && path->given)
			path->real = real_in_directory(path->given);
		if (path->real)
			continue;
		free(path->given);
		strace_path_filter__free(only);
		return NULL;
	}
	return only;
}

void strace_path_filter__free(struct strace_path_filter *only)
{
	for (size_t i = 0; only && i < only->nr; i++) {
		free(only->path[i].given);
		free(only->path[i].real);
	}
	free(only);
}

static bool is_or_is_below(const char *path, size_t len, const char *wanted)
{
	size_t above = strcmp(wanted, "/") ? strlen(wanted) : 0;

	return above <= len && !memcmp(path, wanted, above) && (above == len || path[above] == '/');
}

bool strace_path_filter__have(const struct strace_path_filter *only, const char *path, size_t len)
{
	for (size_t i = 0; i < only->nr; i++)
		if (is_or_is_below(path, len, only->path[i].real))
			return true;
	return false;
}

bool strace_path_filter__name(const struct strace_path_filter *only, const char *path)
{
	for (size_t i = 0; i < only->nr; i++)
		if (is_or_is_below(path, strlen(path), only->path[i].given))
			return true;
	return false;
}
