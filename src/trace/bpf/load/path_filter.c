// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/descriptor.h"
#include "base/text.h"
#include "trace/bpf/load/load.h"
#include "base/link_end.h"

void bpf_path_filter_init(struct iotrace_bpf *skel)
{
	for (size_t i = 0; i < MAX_FILTER_PATHS; i++)
		skel->bss->filter_files[i].self_fd = skel->bss->filter_files[i].parent_fd = -1;
}

/*
 * Opens the directory of a path and finds the name of the path in it. Returns the directory, -1 for
 * a root, or -errno.
 */
static int open_parent(char *name, size_t size, const char *path)
{
	char *copy = strdup(path), *slash;
	int fd;

	if (!copy)
		return -ENOMEM;
	for (slash = copy + strlen(copy); slash > copy + 1 && slash[-1] == '/'; slash--)
		slash[-1] = '\0';
	slash = strrchr(copy, '/');
	strncpy(name, slash ? slash + 1 : copy, size - 1);
	if (slash)
		*slash = '\0';
	fd = open(!slash ? "." : slash == copy ? "/" : copy, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	free(copy);
	return fd;
}

/*
 * Opens a path of -P and its directory: the file may be created, or created again, during the run.
 */
static int open_filter_path(struct iotrace_filter_files *files, struct iotrace_filter_path *only,
			    const char *path)
{
	char *real = realpath(path, NULL), *end = real ? strdup(real) : link_end(path);
	int fd;

	strncpy(only->text, path, sizeof(only->text) - 1);
	for (size_t len = strlen(only->text); len > 1 && only->text[len - 1] == '/'; len--)
		only->text[len - 1] = '\0';
	files->self_fd = real ? open(real, O_PATH | O_CLOEXEC) : -1;
	fd = end ? open_parent(only->name, sizeof(only->name), end) : -errno;
	files->parent_fd = fd < 0 ? -1 : fd;
	free(real);
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
