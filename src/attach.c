// SPDX-License-Identifier: GPL-2.0
#include "attach.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "render.h"

/* The process that a thread belongs to; 0: unknown. */
static pid_t process_of(pid_t tid)
{
	char path[64], line[256];
	FILE *status;
	int tgid = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	status = fopen(path, "re");
	if (!status)
		return 0;
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "Tgid: %d", &tgid) == 1)
			break;
	fclose(status);
	return tgid;
}

/* Kernel threads have no executable and no memory of their own: /proc/PID/mem says ESRCH or opens empty. */
static bool is_kernel_thread(pid_t pid)
{
	char path[64], line[256];
	FILE *status;
	bool kernel = false, zombie = false, has_memory = false;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	status = fopen(path, "re");
	if (!status)
		return false;
	while (fgets(line, sizeof(line), status)) {
		has_memory = has_memory || !strncmp(line, "VmSize:", 7);
		zombie = zombie || !strncmp(line, "State:\tZ", 8);
		kernel = kernel || !strcmp(line, "Kthread:\t1\n"); /* since Linux 6.8 */
	}
	fclose(status);
	return kernel || (!has_memory && !zombie);
}

/* Opening /proc/PID/mem is what asks the kernel for PTRACE_MODE_ATTACH without doing anything (fs/proc/base.c). */
static int check_access(pid_t pid, char *why, size_t size)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	/* A leader that has ended has no memory left; its other threads go on. */
	if (errno != EACCES && errno != EPERM)
		return 0;
	snprintf(why, size,
		 "not permitted: it belongs to another user, or has more privileges than you; use "
		 "sudo");
	return -EPERM;
}

int attach_open_process(pid_t pid, char *why, size_t size)
{
	pid_t process;
	int fd, err;

	if (pid == getpid()) {
		snprintf(why, size, "that is iotrace itself");
		return -EINVAL;
	}
	fd = syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0) {
		err = -errno;
		process = process_of(pid);
		if (err == -ESRCH && !process)
			snprintf(why, size, "no such process");
		else if (process && process != pid)
			snprintf(why, size, "it is a thread of process %d: give that instead",
				 process);
		else
			snprintf(why, size, "%s", strerror(-err));
		return err;
	}
	if (is_kernel_thread(pid)) {
		snprintf(why, size, "it is a kernel thread: it makes no syscalls");
		err = -EINVAL;
	} else {
		err = check_access(pid, why, size);
	}
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}

/* Where cgroup v2 is mounted: false if nowhere. */
static bool find_cgroup2(char *path, size_t size)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;
	bool found = false;

	if (!mounts)
		return false;
	while (!found && (mount = getmntent(mounts))) {
		found = !strcmp(mount->mnt_type, "cgroup2");
		if (found)
			snprintf(path, size, "%s", mount->mnt_dir);
	}
	endmntent(mounts);
	return found;
}

static int open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int check_cgroup2(int fd, const char *shown, char *why, size_t size)
{
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return -errno;
	if (fs.f_type == CGROUP2_SUPER_MAGIC)
		return 0;
	if (fs.f_type == CGROUP_SUPER_MAGIC)
		snprintf(why, size, "'%s' is a cgroup v1 directory: only cgroup v2 can be traced",
			 shown);
	else
		snprintf(why, size, "'%s' is not a cgroup directory", shown);
	return -EINVAL;
}

int attach_open_cgroup(const char *name, char *why, size_t size)
{
	char mount[4096], path[8192], shown[256];
	bool mounted = find_cgroup2(mount, sizeof(mount));
	int fd = -ENOENT, err;

	escape_text(shown, sizeof(shown), name, strlen(name));
	if (strchr(name, '/'))
		fd = open_directory(name);
	/* "/system.slice" is also how /proc/PID/cgroup writes it. */
	if (fd < 0 && mounted) {
		snprintf(path, sizeof(path), "%s/%s", mount, name);
		fd = open_directory(path);
	}
	if (fd < 0) {
		snprintf(why, size, "cannot open cgroup '%s'%s%s: %s", shown,
			 mounted ? " under " : "", mounted ? mount : " (no cgroup v2 is mounted)",
			 strerror(-fd));
		return fd;
	}
	err = check_cgroup2(fd, shown, why, size);
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}
