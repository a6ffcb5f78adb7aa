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

/* Checks dir/name; an empty dir is the current one. 0 with the path in *path, or -errno. */
static int find_in(const char *dir, size_t dir_len, const char *name, char **path)
{
	char *candidate;
	int err;

	if (!dir_len) {
		dir = ".";
		dir_len = 1;
	}
	if (asprintf(&candidate, "%.*s/%s", (int)dir_len, dir, name) < 0)
		return -ENOMEM;
	err = check_executable(candidate);
	if (err)
		free(candidate);
	else
		*path = candidate;
	return err;
}

int find_command(const char *name, char **path)
{
	const char *dir = getenv("PATH") ?: DEFAULT_PATH, *end;
	int err, found = -ENOENT;

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
		err = find_in(dir, end - dir, name, path);
		if (!err || err == -ENOMEM)
			return err;
		if (err == -EACCES)
			found = err;
		if (!*end)
			return found;
	}
}
