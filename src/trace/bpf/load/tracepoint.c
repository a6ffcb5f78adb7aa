// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/load/load.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"

/* The root of a tracefs that is mounted nowhere; < 0: -errno. */
static int mount_for_us(void)
{
	int fs = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC), root;

	if (fs < 0)
		return -errno;
	root = syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0)
		       ? -1
		       : (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (root < 0)
		root = -errno;
	close(fs);
	return root;
}

/* The number in the tracepoint's file below this directory; -errno if it is not there. */
static int read_id(int root, const char *name)
{
	char path[64], number[16] = "";
	ssize_t length;
	int fd, id;

	snprintf(path, sizeof(path), "events/raw_syscalls/%s/id", name);
	fd = openat(root, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = read(fd, number, sizeof(number) - 1);
	id = length > 0 ? atoi(number) : 0;
	close(fd);
	return id > 0 ? id : -ENODATA;
}

static int find_id(const char *name)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	int id = -ENOENT, root;

	for (size_t i = 0; i < ARRAY_SIZE(places) && id < 0; i++) {
		root = open(places[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (root < 0)
			continue;
		id = read_id(root, name);
		close(root);
	}
	if (id > 0)
		return id;
	root = mount_for_us();
	if (root < 0)
		return root;
	id = read_id(root, name);
	close(root);
	return id;
}

int tracepoint_open(const char *name)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
	};
	int id = find_id(name), fd;

	if (id < 0)
		return id;
	attr.config = (uint64_t)id;
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}
