// SPDX-License-Identifier: GPL-2.0
#include "trace/attach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <mntent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/text.h"
#include "trace/refusal.h"

/*
 * Is it a kernel thread? These have no executable and no memory of their own: /proc/PID/mem says
 * ESRCH or opens empty.
 */
static bool is_kernel_thread(pid_t pid)
{
	FILE *status = proc_open(pid, "status");
	char line[256];
	bool kernel = false, zombie = false, has_memory = false;

	if (!status)
		return false;
	while (fgets(line, sizeof(line), status)) {
		has_memory = has_memory || !strncmp(line, "VmSize:", 7);
		zombie = zombie || !strncmp(line, "State:\tZ", 8);
		kernel = kernel || !strcmp(line, "Kthread:\t1\n"); /* Since Linux 6.8. */
	}
	fclose(status);
	return kernel || (!has_memory && !zombie);
}

/*
 * May the caller trace a task? Opening /proc/PID/task/TID/mem asks the kernel for
 * PTRACE_MODE_ATTACH without doing anything (fs/proc/base.c). Returns 0 or -errno.
 */
static int ask_access(pid_t pid, pid_t tid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/mem", pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/*
 * May the caller trace another thread of the process? The /proc files of an ended thread belong to
 * root, those of the others to their user.
 */
static bool another_may_be_traced(pid_t pid)
{
	struct dirent *entry;
	bool found = false;
	char path[64];
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	threads = opendir(path);
	while (threads && !found && (entry = readdir(threads))) {
		pid_t tid = atoi(entry->d_name);

		found = tid > 0 && tid != pid && !ask_access(pid, tid);
	}
	if (threads)
		closedir(threads);
	return found;
}

static bool is_refused(pid_t pid)
{
	int err = ask_access(pid, pid);

	return (err == -EACCES || err == -EPERM) && !another_may_be_traced(pid);
}

/* Finds where cgroup v2 is mounted. Returns false if it is not. */
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

uint64_t attach_cgroup_root(void)
{
	char mount[PATH_MAX];
	struct stat st;

	return find_cgroup2(mount, sizeof(mount)) && !stat(mount, &st) ? st.st_ino : 0;
}

/* The path of a cgroup as /proc/PID/cgroup has it. "": the root. */
static void cgroup_path(int fd, char *path, size_t size)
{
	char link[64], mount[PATH_MAX], target[PATH_MAX];
	size_t len;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, target, sizeof(target) - 1);
	target[n > 0 ? n : 0] = '\0';
	len = find_cgroup2(mount, sizeof(mount)) ? strlen(mount) : 0;
	snprintf(path, size, "%s", strncmp(target, mount, len) ? "" : target + len);
}

/* Is a process in this cgroup or below it? */
static bool in_cgroup(pid_t pid, const char *cgroup)
{
	FILE *groups = proc_open(pid, "cgroup");
	size_t len = strlen(cgroup);
	char line[PATH_MAX];
	bool found = false;

	if (!groups)
		return false;
	while (!found && fgets(line, sizeof(line), groups))
		found = !strncmp(line, "0::", 3) && !strncmp(line + 3, cgroup, len) &&
			(line[3 + len] == '/' || line[3 + len] == '\n');
	fclose(groups);
	return found;
}

/* Does the selection include it? */
static bool is_selected(pid_t pid, const char *comm, const struct attach_selection *selection,
			const char *cgroup)
{
	if (selection->uid >= 0 && user_of(pid) != selection->uid)
		return false;
	if (selection->comm && strcmp(comm, selection->comm) != 0)
		return false;
	return !*cgroup || in_cgroup(pid, cgroup);
}

/*
 * Takes a process if the caller may trace it. Returns what take() returns, 0 if it has ended, or
 * -EPERM if the caller may not trace it.
 */
static int take_process(pid_t pid, int (*take)(void *arg, int pidfd), void *arg)
{
	char why[200];
	int pidfd = attach_open_process(pid, why, sizeof(why)), result;

	if (pidfd < 0)
		return pidfd == -EPERM ? -EPERM : 0;
	result = take(arg, pidfd);
	close(pidfd);
	return result;
}

int attach_take_all(const struct attach_selection *selection, int (*take)(void *arg, int pidfd),
		    void *arg, char **refused, size_t *nr_refused)
{
	char cgroup[PATH_MAX] = "", comm[64], shown[128];
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int nr_taken = 0;
	size_t size;
	FILE *names;

	*refused = NULL;
	*nr_refused = 0;
	if (!proc)
		return -errno;
	names = open_memstream(refused, &size);
	if (!names) {
		closedir(proc);
		return -ENOMEM;
	}
	if (selection->cgroup_fd >= 0)
		cgroup_path(selection->cgroup_fd, cgroup, sizeof(cgroup));
	while (nr_taken >= 0 && (entry = readdir(proc))) {
		pid_t pid = atoi(entry->d_name);
		int result = pid > 0 && pid != getpid() ? take_process(pid, take, arg) : 0;

		if (result != -EPERM) {
			nr_taken = result < 0 ? result : nr_taken + result;
			continue;
		}
		name_of(pid, comm, sizeof(comm));
		if (is_selected(pid, comm, selection, cgroup)) {
			fprintf(names, "%s%s (%d)", ftell(names) ? ", " : "",
				ESCAPE_TEXT(shown, comm), pid);
			++*nr_refused;
		}
	}
	closedir(proc);
	fclose(names);
	return nr_taken;
}

pid_t attach_find_refused(bool (*is_target)(void *arg, int pidfd), void *arg)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	pid_t found = 0;

	if (!proc)
		return -errno;
	while (!found && (entry = readdir(proc))) {
		pid_t pid = atoi(entry->d_name);
		int pidfd = pid > 0 && is_refused(pid) ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;

		if (pidfd < 0)
			continue;
		if (is_target(arg, pidfd))
			found = pid;
		close(pidfd);
	}
	closedir(proc);
	return found;
}

int attach_open_process(pid_t pid, char *why, size_t size)
{
	struct pollfd ended = { .events = POLLIN };
	pid_t process;
	int fd, err;

	if (pid == getpid()) {
		snprintf(why, size, "that is iotrace itself");
		return -EINVAL;
	}
	if (proc_is_foreign()) {
		snprintf(why, size, PROC_IS_FOREIGN);
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
	/* A pidfd is readable when the whole process has ended, reaped or not. */
	ended.fd = fd;
	if (poll(&ended, 1, 0) == 1) {
		snprintf(why, size, "it has ended already");
		err = -ESRCH;
	} else if (is_kernel_thread(pid)) {
		snprintf(why, size, "it is a kernel thread: it makes no syscalls");
		err = -EINVAL;
	} else if (is_refused(pid)) {
		refusal_examine(why, size, pid);
		err = -EPERM;
	} else {
		return fd;
	}
	close(fd);
	return err;
}

static int open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* The magic number of the file system of a descriptor. 0: it cannot be known. */
static long fs_type(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) ? 0 : fs.f_type;
}

static int check_cgroup2(int fd, const char *shown, char *why, size_t size)
{
	if (fs_type(fd) == CGROUP2_SUPER_MAGIC)
		return 0;
	if (fs_type(fd) == CGROUP_SUPER_MAGIC)
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
	int fd = -ENOENT, under, err;

	ESCAPE_TEXT(shown, name);
	if (strchr(name, '/'))
		fd = open_directory(name);
	/* /proc/PID/cgroup and systemd write "/system.slice" for a path under the mount. */
	if (mounted && fs_type(fd) != CGROUP2_SUPER_MAGIC && fs_type(fd) != CGROUP_SUPER_MAGIC) {
		snprintf(path, sizeof(path), "%s/%s", mount, name);
		under = open_directory(path);
		if (under >= 0) {
			if (fd >= 0)
				close(fd);
			fd = under;
		}
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
