// SPDX-License-Identifier: GPL-2.0
#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/descriptor.h"
#include "base/link_end.h"
#include "base/parse.h"
#include "base/signals.h"

/* How a regular file gets its text. What is not a regular file is written to directly. */
enum way {
	DIRECT,
	ASIDE,	  /* It is written under another name, and then renamed. */
	IN_PLACE, /* It is emptied when there is something to write. */
};

struct output {
	int fd;
	bool keep; /* It is stderr itself. */
	enum way way;
	char *path;  /* Final name of a regular file, without symbolic links. */
	char *aside; /* Temporary name of the file. NULL: it has none. */
	int dir;     /* Directory of both names. -1: none. */
	bool there;  /* A file was there before, which old describes. */
	struct stat old;
	bool others; /* That is another user's, in a folder like /tmp. */
	bool begun;  /* The file has been emptied (IN_PLACE). */
	/* The thread that ends iotrace when it is interrupted reads these two. */
	atomic_bool named; /* The file has its temporary name. */
	atomic_bool written;
};

/* Returns the descriptor that a path stands for; -1 if it is the path of a file. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t fd;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		size_t len = strlen(folders[i]);

		if (strncmp(path, folders[i], len))
			continue;
		return parse_number(&fd, path + len, 0, INT_MAX) ? (int)fd : -1;
	}
	return -1;
}

/* Does what final_path() does, of a file that does not exist. */
static char *path_of_new(const char *path)
{
	char *end = link_end(path), *slash = end ? strrchr(end, '/') : NULL, *dir, *real = NULL;

	if (!end)
		return NULL;
	if (slash)
		*slash = '\0';
	dir = realpath(!slash ? "." : *end ? end : "/", NULL);
	if (dir &&
	    asprintf(&real, "%s/%s", strcmp(dir, "/") ? dir : "", slash ? slash + 1 : end) < 0)
		real = NULL;
	free(dir);
	free(end);
	return real;
}

/* Returns the path without symbolic links; the file itself need not exist. NULL with errno. */
static char *final_path(const char *path)
{
	char *real = realpath(path, NULL);

	if (real || errno != ENOENT)
		return real;
	if (!*path || path[strlen(path) - 1] != '/')
		return path_of_new(path);
	errno = EISDIR;
	return NULL;
}

/*
 * Gives an unused temporary name in the same directory to a file that has none, of this path in
 * /proc, or to a new one (NULL). Returns 0, or the descriptor of the new file, or -errno.
 */
static int name_aside(struct output *o, const char *nameless, mode_t mode)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	int result = -EEXIST;

	for (unsigned attempt = 0; result == -EEXIST && attempt < 100; attempt++) {
		if (asprintf(&o->aside, ".%.200s.%d-%u", basename(o->path), getpid(), attempt) <
		    0) {
			o->aside = NULL;
			return -ENOMEM;
		}
		result = nameless ? linkat(AT_FDCWD, nameless, o->dir, o->aside, AT_SYMLINK_FOLLOW)
				  : openat(o->dir, o->aside, flags, mode);
		if (result >= 0) {
			o->named = true;
			return result;
		}
		result = -errno;
		free(o->aside);
		o->aside = NULL;
	}
	return result;
}

/*
 * Opens a file without a name, which disappears however we end; if the file system cannot do that,
 * one with a temporary name. Returns a descriptor or -errno.
 */
static int create_aside(struct output *o, mode_t mode)
{
	/* /proc is needed to give it a name later. */
	bool nameless = !access("/proc/self/fd", X_OK);
	int fd = nameless ? openat(o->dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode) : -1;

	if (fd >= 0)
		return fd;
	if (nameless && errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)
		return -errno;
	return name_aside(o, NULL, mode);
}

/* Opens the folder of the path. 0 or -errno. */
static int open_folder(struct output *o)
{
	char *slash = strrchr(o->path, '/');

	*slash = '\0';
	o->dir = open(slash == o->path ? "/" : o->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*slash = '/';
	return o->dir < 0 ? -errno : 0;
}

/*
 * Is the file another user's in a sticky folder, /tmp for example? What is written there is not
 * given to that user.
 */
static bool is_others(const struct output *o)
{
	struct stat dir;

	return !fstat(o->dir, &dir) && dir.st_mode & S_ISVTX && o->old.st_uid != geteuid() &&
	       o->old.st_uid != dir.st_uid;
}

/*
 * Could a file of another user's in a sticky folder be replaced? The kernel lets the same users,
 * those with CAP_FOWNER, open it with O_NOATIME: inode_owner_or_capable().
 */
static bool may_replace(const struct output *o)
{
	int fd = open(o->path, O_RDONLY | O_NOATIME | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Has a file or a folder one of some attributes of statx(2)? */
static bool has_attribute(int dir, const char *path, uint64_t attributes)
{
	struct statx st;

	return !statx(dir, path, AT_EMPTY_PATH, 0, &st) && st.stx_attributes & attributes;
}

/*
 * Does a file keep its place? It is a mount point, say, or has other links, or its folder is
 * append-only and lets nobody rename what is in it. A file that may not be replaced, because it is
 * append-only or immutable itself, cannot be opened to be written in place, so that is told now.
 */
static bool stays(const struct output *o)
{
	if (has_attribute(o->dir, "", STATX_ATTR_APPEND))
		return true;
	if (!o->there)
		return false;
	return o->old.st_nlink > 1 || (o->others && !may_replace(o)) ||
	       has_attribute(AT_FDCWD, o->path,
			     STATX_ATTR_MOUNT_ROOT | STATX_ATTR_APPEND | STATX_ATTR_IMMUTABLE);
}

/*
 * Opens with O_CREAT, so that the kernel decides as for every other program: fs.protected_regular,
 * in proc_sys_fs(5). 0 or -errno.
 */
static int open_in_place(struct output *o)
{
	o->way = IN_PLACE;
	o->fd = above_stdio(open(o->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
	return o->fd < 0 ? -errno : 0;
}

/*
 * Creates a file that will replace the other. It gets owner and mode at once, while iotrace has the
 * capabilities to do so. 0, or -errno without a trace of the file.
 */
static int open_aside(struct output *o)
{
	bool inherits = o->there && !o->others;
	int err, fd = create_aside(o, inherits ? o->old.st_mode & 0777 : 0666);

	if (fd < 0)
		return fd;
	o->way = ASIDE;
	o->fd = above_stdio(fd);
	if (o->fd >= 0 && (!inherits || (!fchown(o->fd, o->old.st_uid, o->old.st_gid) &&
					 !fchmod(o->fd, o->old.st_mode & 07777))))
		return 0;
	err = -errno;
	close_fd(&o->fd);
	output__abandon(o);
	o->named = false;
	return err;
}

static int open_regular(struct output *o, const char *path)
{
	int err;

	o->path = final_path(path);
	if (!o->path)
		return -errno;
	err = open_folder(o);
	if (err)
		return err;
	/* A file that may not be written to is not replaced. */
	if (o->there && faccessat(o->dir, basename(o->path), W_OK, AT_EACCESS))
		return -errno;
	o->others = o->there && is_others(o);
	if (stays(o))
		return open_in_place(o);
	err = open_aside(o);
	/* The folder may not be writable although the file is, or the owner cannot be kept. */
	return err && o->there ? open_in_place(o) : err;
}

/*
 * Checks that a descriptor is open for writing. Waiting for room would never end at the other end
 * of a pipe, or, where stderr is closed, at a descriptor of our own that has its number.
 */
static int check_writable(int fd, bool may_be_ours)
{
	int mode = fcntl(fd, F_GETFL);

	if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY || (!may_be_ours && fcntl(fd, F_GETFD) > 0))
		return -EBADF;
	return 0;
}

static int open_descriptor(struct output *o, int fd)
{
	int err = check_writable(fd, true);

	if (err)
		return err;
	o->fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return o->fd < 0 ? -errno : 0;
}

static int open_path(struct output *o, const char *path, bool direct)
{
	o->there = !stat(path, &o->old);
	if (!o->there && errno != ENOENT)
		return -errno;
	if (!direct && (!o->there || S_ISREG(o->old.st_mode)))
		return open_regular(o, path);
	o->fd = above_stdio(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
	return o->fd < 0 ? -errno : 0;
}

int output__open(struct output **output, const char *path, bool direct)
{
	struct output *o = calloc(1, sizeof(*o));
	int fd = path ? descriptor_of(path) : -1, err = 0;

	*output = NULL;
	if (!o)
		return -ENOMEM;
	o->dir = o->fd = -1;
	if (!path) {
		o->fd = STDERR_FILENO;
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

int output__fd(const struct output *o)
{
	return o->fd;
}

bool output__is_file(const struct output *o)
{
	return o->way != DIRECT;
}

bool output__is_written(const struct output *o)
{
	return o->written;
}

/* The time that is left to a reader once a signal has asked iotrace to end. */
#define HURRIED_MS 1000

/*
 * Waits until there is room for some of it. -EINTR: there is none, and a signal is pending, or has
 * been taken.
 */
static int wait_for_room(const struct output *o, bool interruptible)
{
	struct pollfd fds[] = {
		{ .fd = o->fd, .events = POLLOUT },
		{ .fd = interruptible ? signals_waiting_fd() : -1, .events = POLLIN },
	};
	int nr = poll(fds, 2, interruptible && signals_taken() ? HURRIED_MS : -1);

	if (nr < 0)
		return errno == EINTR ? 0 : -errno;
	return fds[0].revents ? 0 : -EINTR;
}

int output__write(struct output *o, const char *text, size_t size, bool interruptible)
{
	int err = check_writable(o->fd, !o->keep);

	if (!err && o->way == IN_PLACE && !o->begun && ftruncate(o->fd, 0))
		return -errno;
	o->begun = true;
	while (!err && size) {
		/* A pipe that is ready has room for PIPE_BUF bytes. */
		size_t part = o->way == DIRECT && size > PIPE_BUF ? PIPE_BUF : size;
		ssize_t nr;

		err = wait_for_room(o, interruptible);
		nr = err ? 0 : write(o->fd, text, part);
		if (nr >= 0) {
			text += nr;
			size -= (size_t)nr;
		} else if (errno != EINTR && errno != EAGAIN) {
			err = -errno;
		}
	}
	return err;
}

/* Closes the file. A full disk may be reported only now. */
static int close_output(struct output *o)
{
	bool failed = o->way != DIRECT && fsync(o->fd) && errno != EINVAL && errno != EROFS;
	int err = failed ? -errno : 0;

	if (!o->keep && close(o->fd) && !err)
		err = -errno;
	o->fd = -1;
	return err;
}

/* A report up to this long is written at once. */
#define STREAM_BUFFER (1UL << 20)

struct output_stream {
	struct output *output;
	FILE *file;
	bool interruptible;
	int err; /* The first error, as -errno. */
};

static ssize_t write_piece(void *cookie, const char *text, size_t size)
{
	struct output_stream *s = cookie;

	if (!s->err)
		s->err = output__write(s->output, text, size, s->interruptible);
	return s->err ? 0 : (ssize_t)size;
}

FILE *output__stream(struct output *output, bool interruptible, struct output_stream **stream)
{
	struct output_stream *s = calloc(1, sizeof(*s));

	*stream = s;
	if (!s)
		return NULL;
	s->output = output;
	s->interruptible = interruptible;
	s->file = fopencookie(s, "w", (cookie_io_functions_t){ .write = write_piece });
	if (s->file && !setvbuf(s->file, NULL, _IOFBF, STREAM_BUFFER))
		return s->file;
	if (s->file)
		fclose(s->file);
	free(s);
	*stream = NULL;
	return NULL;
}

int output__close_stream(struct output_stream *s, int err)
{
	int closed;

	s->err = s->err ? s->err : err;
	closed = fclose(s->file) ? -ENOMEM : 0;
	err = s->err ? s->err : closed;
	free(s);
	return err;
}

int output__commit(struct output *o)
{
	char proc[40];
	int err = 0;

	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", o->fd);
	if (o->way == ASIDE && !o->named)
		err = name_aside(o, proc, 0);
	if (!err)
		err = close_output(o);
	if (!err && o->way == ASIDE) {
		if (renameat(o->dir, o->aside, o->dir, basename(o->path)))
			err = -errno;
		else
			o->named = false;
	}
	o->written = !err;
	return err;
}

void output__abandon(struct output *o)
{
	if (o->named)
		unlinkat(o->dir, o->aside, 0);
}

void output__free(struct output *o)
{
	if (!o)
		return;
	if (!o->keep)
		close_fd(&o->fd);
	output__abandon(o);
	close_fd(&o->dir);
	free(o->aside);
	free(o->path);
	free(o);
}
