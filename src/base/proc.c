// SPDX-License-Identifier: GPL-2.0
#include "base/proc.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");

	line[0] = '\0';
	if (!file)
		return;
	if (!fgets(line, (int)size, file))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	fclose(file);
}

int read_number(const char *path, int otherwise)
{
	char line[64];
	int value;

	read_line(path, line, sizeof(line));
	return sscanf(line, "%d", &value) == 1 ? value : otherwise;
}

FILE *proc_open(pid_t tid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", tid, name);
	return fopen(path, "re");
}

bool proc_is_foreign(void)
{
	char self[32];
	ssize_t len = readlink("/proc/self", self, sizeof(self) - 1);

	self[len > 0 ? len : 0] = '\0';
	return len > 0 && atoi(self) != getpid();
}

int number_of_tasks(void)
{
	char line[128];
	int nr = 0;

	/* The line is like "0.20 0.18 0.12 1/80 11206" (proc_loadavg(5)). */
	read_line("/proc/loadavg", line, sizeof(line));
	return sscanf(line, "%*s %*s %*s %*d/%d", &nr) == 1 && nr > 0 ? nr : 0;
}

/* Finds a number in a file, and closes it; returns otherwise if there is none, or no file. */
static long number_in(FILE *file, const char *format, long otherwise)
{
	long number = otherwise;
	char line[256];

	if (!file)
		return otherwise;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, format, &number) == 1)
			break;
	fclose(file);
	return number;
}

uint64_t available_memory(void)
{
	return (uint64_t)number_in(fopen("/proc/meminfo", "re"), "MemAvailable: %ld", 0) << 10;
}

pid_t tracer_of(pid_t tid)
{
	return number_in(proc_open(tid, "status"), "TracerPid: %ld", 0);
}

pid_t process_of(pid_t tid)
{
	return number_in(proc_open(tid, "status"), "Tgid: %ld", 0);
}

pid_t parent_of(pid_t pid)
{
	return number_in(proc_open(pid, "status"), "PPid: %ld", 0);
}

long threads_of(pid_t pid)
{
	return number_in(proc_open(pid, "status"), "Threads: %ld", 0);
}

long user_of(pid_t pid)
{
	return number_in(proc_open(pid, "status"), "Uid: %ld", -1);
}

void name_of(pid_t tid, char *comm, size_t size)
{
	FILE *file = proc_open(tid, "comm");
	size_t len = 0;

	if (file) {
		len = fread(comm, 1, size - 1, file);
		fclose(file);
	}
	if (len && comm[len - 1] == '\n')
		len--;
	comm[len] = '\0';
	if (!len)
		snprintf(comm, size, "?");
}

char *executable_of(pid_t pid)
{
	char path[64], exe[PATH_MAX];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	len = readlink(path, exe, sizeof(exe));
	return len > 0 ? strndup(exe, (size_t)len) : NULL;
}

int proc_signal(pid_t pid, int sig)
{
	if (pid <= 0)
		return -EINVAL;
	return kill(pid, sig) ? -errno : 0;
}

static bool holds_pipe(pid_t pid, ino_t pipe)
{
	bool found = false;
	struct dirent *entry;
	char path[64];
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	fds = opendir(path);
	if (!fds)
		return false;
	while (!found && (entry = readdir(fds))) {
		struct stat st;

		found = !fstatat(dirfd(fds), entry->d_name, &st, 0) && S_ISFIFO(st.st_mode) &&
			st.st_ino == pipe;
	}
	closedir(fds);
	return found;
}

int proc_open_holder(pid_t pid, ino_t pipe)
{
	int fd;

	if (pid <= 0)
		return -ESRCH;
	fd = syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0)
		return -errno;
	/* This comes after opening: who has the pipe now is the process behind the descriptor. */
	if (holds_pipe(pid, pipe))
		return fd;
	close(fd);
	return -ESRCH;
}
