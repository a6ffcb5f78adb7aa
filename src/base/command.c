// SPDX-License-Identifier: GPL-2.0
#include "base/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* execvp(3) searches these without PATH. */
#define DEFAULT_PATH "/bin:/usr/bin"

int check_executable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EACCES;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) ? -errno : 0;
}

int find_command(const char *name, char **path)
{
	const char *dir = getenv("PATH") ?: DEFAULT_PATH, *end;
	int err, found = -ENOENT;
	char *candidate;

	*path = NULL;
	if (!*name)
		return -ENOENT;
	if (strchr(name, '/')) {
		err = check_executable(name);
		if (err)
			return err;
		*path = strdup(name);
		return *path ? 0 : -ENOMEM;
	}
	for (;; dir = end + 1) {
		end = strchrnul(dir, ':');
		/* An empty folder is the current one. */
		if (asprintf(&candidate, "%.*s%s/%s", (int)(end - dir), dir, end == dir ? "." : "",
			     name) < 0)
			return -ENOMEM;
		err = check_executable(candidate);
		if (!err) {
			*path = candidate;
			return 0;
		}
		free(candidate);
		if (err == -EACCES)
			found = err;
		if (!*end)
			return found;
	}
}
