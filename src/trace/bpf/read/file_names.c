// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/read/read.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "trace/file_rows.h"

static char *socket_path(const struct iotrace_file *f)
{
	/* Messages have limits in all but streams. */
	const char *prefix = f->socket.type == SOCK_STREAM ? "unix" : "unix-dgram";
	bool abstract = !f->path[0];
	size_t len = f->path_len;

	if (f->socket.family == AF_INET || f->socket.family == AF_INET6)
		return socket_name(&f->socket, f->marks);
	if (f->socket.family != AF_UNIX)
		return numbered_name("socket", f->ino, f->marks & FILE_INODES);
	if (!len)
		return numbered_name(prefix, f->ino, f->marks & FILE_INODES);
	/* The length includes the NUL at the end of a name. An abstract name begins with a NUL. */
	len = abstract ? len - 1 : strnlen(f->path, len);
	return unix_name(prefix, f->path + abstract, len, abstract);
}

/* The names that /proc/PID/fd shows for files without a directory; takes the name. */
static char *detached_path(char *name, const struct iotrace_file *f, enum file_kind kind)
{
	bool several = f->marks & FILE_NAMES;
	char *path = NULL;
	int err;

	if (kind == FILE_KIND_PIPE)
		path = numbered_name("pipe", f->ino, f->marks & FILE_INODES);
	else if (kind == FILE_KIND_MEMFD && several)
		path = strdup("memfd:*");
	else if (several)
		path = strdup("anon_inode:*");
	else if (name[0] != '[')
		return name;
	else if (err = asprintf(&path, "anon_inode:%s", name), err < 0)
		path = NULL;
	free(name);
	return path;
}

char *bpf_file_path(const struct iotrace_file *f, enum file_kind kind)
{
	bool given = kind == FILE_KIND_FAILED || kind == FILE_KIND_FOUND;
	char *names;

	if (given && (!(f->marks & FILE_RELATIVE) || f->marks & FILE_DETACHED))
		return strndup(f->path, f->path_len);
	if (kind == FILE_KIND_SOCKET)
		return socket_path(f);
	names = file_path_from_names(f->path, f->path_len, f->marks & FILE_CUT,
				     f->marks & FILE_DETACHED);
	return names && f->marks & FILE_DETACHED ? detached_path(names, f, kind) : names;
}

static enum file_kind anonymous_kind(const struct iotrace_file *f)
{
	if (!strncmp(f->path, "[eventfd]", f->path_len))
		return FILE_KIND_EVENTFD;
	return FILE_KIND_ANON;
}

enum file_kind bpf_file_kind(const struct iotrace_file_key *key, const struct iotrace_file *f)
{
	if (key->inode == FILE_KEY_PATH)
		return key->generation ? FILE_KIND_FAILED : FILE_KIND_FOUND;
	switch (f->mode & S_IFMT) {
	case S_IFREG:
		if (f->marks & FILE_DETACHED && !strncmp(f->path, "memfd:", 6))
			return FILE_KIND_MEMFD;
		/* Since 6.16, some anonymous files are regular files. */
		if (!strncmp(f->fstype, "anon_inodefs", sizeof(f->fstype)))
			return anonymous_kind(f);
		return f->marks & FILE_UNLINKED ? FILE_KIND_DELETED : FILE_KIND_REGULAR;
	case S_IFDIR:
		return FILE_KIND_DIRECTORY;
	case S_IFIFO:
		return FILE_KIND_PIPE;
	case S_IFSOCK:
		return FILE_KIND_SOCKET;
	case S_IFCHR:
		return file_kind_of_device(f->rdev >> 20);
	case S_IFBLK:
		return FILE_KIND_BLOCK;
	}
	return anonymous_kind(f);
}
