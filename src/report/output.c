// SPDX-License-Identifier: GPL-2.0
#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parse.h"

struct output {
	FILE *stream;
	/* Final name of a file written aside, without symbolic links; NULL: written directly. */
	char *path;
	char *aside; /* its name until then; NULL: it has none yet */
	int dir;     /* the directory of both; -1: none */
	bool there;  /* and what was there before */
	struct stat old;
	bool keep; /* the stream is stderr itself */
};

static struct output *output_new(void)
{
	struct output *o = calloc(1, sizeof(*o));

	if (o)
		o->dir = -1;
	return o;
}

/* The descriptor that a path stands for; -1 if it is the path of a file. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t fd;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		size_t len = strlen(folders[i]);

		if (strncmp(path, folders[i], len))
			continue;
		return parse_number(&fd, path + len, 0, INT_MAX) ? (int)fd : -1;
	}
	return -1;
}

/* The path without symbolic links; the file itself need not exist. NULL with errno. */
static char *final_path(const char *path)
{
	char *real = realpath(path, NULL), *copy, *slash, *dir = NULL;
	struct stat link;

	if (real || errno != ENOENT)
		return real;
	/* Renaming would replace a dangling link instead of following it. */
	if (!lstat(path, &link)) {
		errno = ENOENT;
		return NULL;
	}
	copy = strdup(path);
	if (!copy)
		return NULL;
	slash = strrchr(copy, '/');
	if (slash && !slash[1]) {
		errno = EISDIR;
		goto out;
	}
	if (slash)
		*slash = '\0';
	dir = realpath(!slash ? "." : slash == copy ? "/" : copy, NULL);
	if (dir &&
	    asprintf(&real, "%s/%s", strcmp(dir, "/") ? dir : "", slash ? slash + 1 : copy) < 0)
		real = NULL;
out:
	free(dir);
	free(copy);
	return real;
}

static const char *base_name(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* An unused temporary name in the same directory. */
static int name_aside(struct output *o, unsigned attempt)
{
	free(o->aside);
	if (asprintf(&o->aside, ".%.200s.%d-%u", base_name(o->path), getpid(), attempt) >= 0)
		return 0;
	o->aside = NULL;
	return -ENOMEM;
}

/*
 * Opens a file without a name, which disappears however we end; if the file system cannot do that,
 * one with a temporary name. Returns a descriptor or -errno.
 */
static int create_aside(struct output *o, mode_t mode)
{
	/* Needs /proc to give it a name later. */
	bool nameless = !access("/proc/self/fd", X_OK);
	int fd = nameless ? openat(o->dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode) : -1;

	if (fd >= 0)
		return fd;
	if (nameless && errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)
		return -errno;
	for (unsigned attempt = 0; attempt < 100; attempt++) {
		if (name_aside(o, attempt))
			return -ENOMEM;
		fd = openat(o->dir, o->aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST)
			break;
	}
	free(o->aside);
	o->aside = NULL;
	return -errno;
}

/* 0 or -errno. */
static int open_aside(struct output *o)
{
	char *slash = strrchr(o->path, '/');
	int fd;

	*slash = '\0';
	o->dir = open(slash == o->path ? "/" : o->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*slash = '/';
	if (o->dir < 0)
		return -errno;
	/* Do not replace a file that we may not write to. */
	if (o->there && faccessat(o->dir, base_name(o->path), W_OK, AT_EACCESS))
		return -errno;
	fd = create_aside(o, o->there ? o->old.st_mode & 0777 : 0666);
	if (fd < 0)
		return fd;
	o->stream = fdopen(fd, "w");
	if (o->stream)
		return 0;
	close(fd);
	return -ENOMEM;
}

static int open_descriptor(struct output *o, int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	if (copy < 0)
		return -errno;
	o->stream = fdopen(copy, "w");
	if (o->stream)
		return 0;
	close(copy);
	return -errno;
}

static int open_path(struct output *o, const char *path, bool direct)
{
	o->there = !stat(path, &o->old);
	if (!o->there && errno != ENOENT)
		return -errno;
	if (direct || (o->there && !S_ISREG(o->old.st_mode))) {
		o->stream = fopen(path, "we");
		return o->stream ? 0 : -errno;
	}
	o->path = final_path(path);
	if (!o->path)
		return -errno;
	return open_aside(o);
}

int output__open(struct output **output, const char *path, bool direct)
{
	struct output *o = output_new();
	int fd, err = 0;

	*output = NULL;
	if (!o)
		return -ENOMEM;
	fd = path ? descriptor_of(path) : -1;
	if (!path) {
		o->stream = stderr;
		o->keep = true;
	} else if (fd >= 0) {
		err = open_descriptor(o, fd);
	} else {
		err = open_path(o, path, direct);
	}
	if (err)
		output__free(o);
	else
		*output = o;
	return err;
}

FILE *output__stream(struct output *output)
{
	return output->stream;
}

/*
 * This is done as far as permitted: without privilege, the user's own file keeps its owner anyway.
 */
static void restore_owner(struct output *o)
{
	int fd = fileno(o->stream);

	if (fchown(fd, o->old.st_uid, o->old.st_gid) || fchmod(fd, o->old.st_mode & 07777))
		errno = 0;
}

/* Writes everything to its destination. */
static int close_stream(struct output *o)
{
	/* A full disk may be reported only now. */
	bool failed = fflush(o->stream) || ferror(o->stream) ||
		      (o->path && fsync(fileno(o->stream)) && errno != EINVAL && errno != EROFS);
	int err = failed ? (errno ? -errno : -EIO) : 0;

	if (!o->keep && fclose(o->stream) && !err)
		err = -errno;
	o->stream = NULL;
	return err;
}

/* Gives a name to a file without one. */
static int link_aside(struct output *o)
{
	char proc[40];

	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fileno(o->stream));
	for (unsigned attempt = 0; attempt < 100; attempt++) {
		if (name_aside(o, attempt))
			return -ENOMEM;
		if (!linkat(AT_FDCWD, proc, o->dir, o->aside, AT_SYMLINK_FOLLOW))
			return 0;
		if (errno != EEXIST)
			break;
	}
	free(o->aside);
	o->aside = NULL;
	return -errno;
}

int output__commit(struct output *o)
{
	int err = 0;

	if (o->path && (fflush(o->stream) || ferror(o->stream)))
		err = errno ? -errno : -EIO;
	if (!err && o->path && !o->aside)
		err = link_aside(o);
	if (!err && o->there && o->path)
		restore_owner(o);
	if (!err)
		err = close_stream(o);
	if (err || !o->path)
		return err;
	if (renameat(o->dir, o->aside, o->dir, base_name(o->path)))
		return -errno;
	free(o->aside);
	o->aside = NULL;
	return 0;
}

void output__free(struct output *o)
{
	if (!o)
		return;
	if (o->stream && !o->keep)
		fclose(o->stream);
	if (o->aside)
		unlinkat(o->dir, o->aside, 0);
	if (o->dir >= 0)
		close(o->dir);
	free(o->aside);
	free(o->path);
	free(o);
}
