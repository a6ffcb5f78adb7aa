// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/descriptor.h"
#include "base/link_end.h"
#include "base/text.h"
#include "trace/bpf/load/load.h"

void bpf_path_filter_init(struct iotrace_bpf *skel)
{
	for (size_t i = 0; i < MAX_FILTER_PATHS; i++)
		skel->bss->filter_files[i].self_fd = skel->bss->filter_files[i].parent_fd = -1;
}

/*
 * Opens the directory of a path, which has no slash at its end, and finds the name of the path in
 * it. Returns the directory or -errno. The path is spoilt.
 */
static int open_parent(char *name, size_t size, char *path)
{
	char *slash = strrchr(path, '/');
	int fd;

	strncpy(name, slash ? slash + 1 : path, size - 1);
	if (slash)
		*slash = '\0';
	fd = open(!slash ? "." : slash == path ? "/" : path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/*
 * Opens a path of -P and its directory: the file may be created, or created again, during the run.
 */
static int open_filter_path(struct iotrace_filter_files *files, struct iotrace_filter_path *only,
			    const char *path)
{
	char *real = realpath(path, NULL), *end = real ? real : link_end(path);
	int fd = -errno;

	strncpy(only->text, path, sizeof(only->text) - 1);
	cut_slashes(only->text);
	files->self_fd = real ? open(real, O_PATH | O_CLOEXEC) : -1;
	if (end)
		fd = open_parent(only->name, sizeof(only->name), end);
	files->parent_fd = fd < 0 ? -1 : fd;
	free(end);
	return fd < 0 ? fd : 0;
}

int bpf_path_filter_open(struct iotrace_bpf *skel, const struct trace_options *o, char *why,
			 size_t size)
{
	struct iotrace_bpf__rodata *config = skel->rodata;
	char name[256];
	int err = 0;

	config->cfg_nr_filter_paths = o->nr_filter_paths;
	for (size_t i = 0; !err && i < o->nr_filter_paths; i++) {
		const char *path = o->filter_paths[i];

		err = open_filter_path(&skel->bss->filter_files[i],
				       (struct iotrace_filter_path *)&config->cfg_filter_paths[i],
				       path);
		if (err)
			snprintf(why, size, "-P '%s': %s", ESCAPE_TEXT(name, path), strerror(-err));
	}
	return err;
}

void bpf_path_filter_close(struct iotrace_bpf *skel)
{
	for (size_t i = 0; i < MAX_FILTER_PATHS; i++) {
		close_fd(&skel->bss->filter_files[i].self_fd);
		close_fd(&skel->bss->filter_files[i].parent_fd);
	}
}
