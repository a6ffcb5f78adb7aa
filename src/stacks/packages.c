// SPDX-License-Identifier: GPL-2.0
#include "stacks/packages.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A package manager that has a list of a package's files, a path in each line, by its name. */
struct manager {
	const char *lists;  /* A pattern of their paths. */
	const char *suffix; /* Of a list's name; before it is that of the package. */
	/* What the package with the debug information is called, after the package's name. */
	const char *debug;
};

/* dpkg(1): the files of a package. Packages of debug information: Debian's developers' reference,
 * 6.8.9. Where a path is below /lib or below /usr/lib is not told by all packages alike. */
static const struct manager managers[] = {
	{ "/var/lib/dpkg/info/*.list", ".list", "-dbgsym" },
};

static bool lists(FILE *list, const char *path, char **line, size_t *size)
{
	const char *short_path = strncmp(path, "/usr/", 5) ? path : path + 4;

	while (getline(line, size, list) > 0) {
		(*line)[strcspn(*line, "\n")] = '\0';
		if (!strcmp(*line, path) || !strcmp(*line, short_path))
			return true;
	}
	return false;
}

/* Makes the name of the package with the debug information, to be freed. */
static char *debug_name(const struct manager *m, const char *list)
{
	const char *name = base_name(list);
	size_t len = strlen(name) - strlen(m->suffix);
	char *text;

	/* Of several architectures, each has its own: "libc6:amd64". */
	if (memchr(name, ':', len))
		len = strcspn(name, ":");
	return asprintf(&text, "%.*s%s", (int)len, name, m->debug) < 0 ? NULL : text;
}

static char *search(const struct manager *m, const char *path)
{
	char *line = NULL, *found = NULL;
	size_t size = 0;
	glob_t lists_found;

	if (glob(m->lists, GLOB_NOSORT, NULL, &lists_found))
		return NULL;
	for (size_t i = 0; !found && i < lists_found.gl_pathc; i++) {
		FILE *list = fopen(lists_found.gl_pathv[i], "re");

		if (!list)
			continue;
		if (lists(list, path, &line, &size))
			found = debug_name(m, lists_found.gl_pathv[i]);
		fclose(list);
	}
	free(line);
	globfree(&lists_found);
	return found;
}

char *debug_package_of(const char *path)
{
	char *found = NULL;

	for (size_t i = 0; !found && i < sizeof(managers) / sizeof(managers[0]); i++)
		found = search(&managers[i], path);
	return found;
}
