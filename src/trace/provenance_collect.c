// SPDX-License-Identifier: GPL-2.0
#include "trace/provenance_collect.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"

static int set_text(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to ? 0 : -ENOMEM;
}

static int copy_list(char ***to, char *const *list, size_t nr)
{
	*to = calloc(nr + 1, sizeof(**to));
	if (!*to)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		(*to)[i] = strdup(list[i]);
		if (!(*to)[i])
			return -ENOMEM;
	}
	return 0;
}

/* Finds "model name : ..." on x86; other machines may lack it. */
static int set_cpu_model(struct provenance *p)
{
	FILE *info = fopen("/proc/cpuinfo", "re");
	char *line = NULL;
	size_t size = 0;
	int err = 0;

	while (info && getline(&line, &size, info) > 0) {
		char *value = strchr(line, ':');

		if (strncmp(line, "model name", 10) || !value)
			continue;
		value += 1 + strspn(value + 1, " \t");
		value[strcspn(value, "\n")] = '\0';
		err = set_text(&p->cpu_model, value);
		break;
	}
	free(line);
	if (info)
		fclose(info);
	return err;
}

static int set_machine(struct provenance *p)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct utsname name;

	p->cpus = cpus > 0 ? (uint64_t)cpus : 0;
	if (set_cpu_model(p))
		return -ENOMEM;
	if (!uname(&name) &&
	    (set_text(&p->kernel, name.release) || set_text(&p->machine, name.machine)))
		return -ENOMEM;
	return 0;
}

static const char *file_kind(const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return "regular";
	if (S_ISFIFO(st->st_mode))
		return "pipe";
	if (S_ISSOCK(st->st_mode))
		return "socket";
	if (S_ISDIR(st->st_mode))
		return "directory";
	if (S_ISBLK(st->st_mode))
		return "block";
	return isatty(STDOUT_FILENO) ? "tty" : "device";
}

/*
 * The type of the file system with a device number, from the list of mounts: nothing else tells
 * ext4 from ext3 and one FUSE from another. NULL if it is not mounted here (a pipe's), or without
 * memory.
 */
static char *fstype_of_mount(dev_t dev)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, *type = NULL;
	size_t size = 0;

	while (mounts && !type && getline(&line, &size, mounts) > 0) {
		char *dash = strstr(line, " - ");
		unsigned major, minor;

		if (sscanf(line, "%*d %*d %u:%u", &major, &minor) != 2 || !dash ||
		    makedev(major, minor) != dev)
			continue;
		type = strndup(dash + 3, strcspn(dash + 3, " \n"));
	}
	free(line);
	if (mounts)
		fclose(mounts);
	return type;
}

/*
 * The type of a file system that the list of mounts does not show. The subvolumes of btrfs have
 * device numbers of their own.
 */
static char *fstype_of_magic(int fd)
{
	static const struct {
		unsigned long magic;
		const char *name;
	} types[] = {
		{ BTRFS_SUPER_MAGIC, "btrfs" }, { OVERLAYFS_SUPER_MAGIC, "overlay" },
		{ NFS_SUPER_MAGIC, "nfs" },	{ 0x2fc12fc1, "zfs" },
		{ PIPEFS_MAGIC, "pipefs" },	{ SOCKFS_MAGIC, "sockfs" },
		{ TMPFS_MAGIC, "tmpfs" },	{ ANON_INODE_FS_MAGIC, "anon_inodefs" },
	};
	struct statfs fs;
	char *text;

	if (fstatfs(fd, &fs))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (types[i].magic == ((unsigned long)fs.f_type & 0xffffffff))
			return strdup(types[i].name);
	}
	if (asprintf(&text, "0x%lx", (unsigned long)fs.f_type & 0xffffffff) < 0)
		return NULL;
	return text;
}

static int set_stdout(struct provenance *p)
{
	char path[4096];
	struct stat st;
	ssize_t len;

	if (fstat(STDOUT_FILENO, &st))
		return 0; /* It is closed, and nothing is known. */
	len = readlink("/proc/self/fd/1", path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	if (len > 0 && set_text(&p->stdout_path, path))
		return -ENOMEM;
	if (set_text(&p->stdout_kind, file_kind(&st)))
		return -ENOMEM;
	p->stdout_fstype = fstype_of_mount(st.st_dev);
	if (!p->stdout_fstype)
		p->stdout_fstype = fstype_of_magic(STDOUT_FILENO);
	return 0;
}

int provenance_set_start(struct provenance *p)
{
	struct timespec now;
	struct tm tm;
	char date[32], text[64];

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text, sizeof(text), "%s.%09ldZ", date, now.tv_nsec);
	return set_text(&p->start, text);
}

int provenance_collect(struct provenance *p, char *const *options, int nr_options,
		       char *const *command)
{
	size_t nr = 0;

	memset(p, 0, sizeof(*p));
	p->status = -1;
	while (command && command[nr])
		nr++;
	/* argv[0] is left out. An argument list may be empty. */
	if (set_text(&p->version, IOTRACE_VERSION) ||
	    copy_list(&p->options, options + (nr_options > 0),
		      nr_options > 0 ? (size_t)nr_options - 1 : 0) ||
	    (command && copy_list(&p->command, command, nr)) || set_machine(p))
		return -ENOMEM;
	return set_stdout(p);
}
