// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/threads.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"

static FILE *open_of_task(pid_t pid, pid_t tid, const char *name)
{
	char path[80];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", pid, tid, name);
	return fopen(path, "re");
}

/* What /proc/TID/status says of a task. */
struct task_status {
	bool there;  /* It can be read. */
	bool zombie; /* The task has ended, as the main thread may before the others. */
	int tracer;
};

static struct task_status status_of(pid_t pid, pid_t tid)
{
	FILE *file = open_of_task(pid, tid, "status");
	struct task_status status = { 0 };
	char line[256], state;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "State: %c", &state) == 1)
			status.zombie = state == 'Z' || state == 'X';
		status.there = sscanf(line, "TracerPid: %d", &status.tracer) == 1;
		if (status.there)
			break;
	}
	if (file)
		fclose(file);
	return status;
}

/* Lists the threads of a process, the oldest first, as the kernel does. 0 or -errno. */
static int list_threads(pid_t pid, struct ids *threads)
{
	struct dirent *entry;
	char path[64];
	DIR *directory;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	directory = opendir(path);
	while (directory && !err && (entry = readdir(directory)))
		if (isdigit((unsigned char)entry->d_name[0]))
			err = ids_add(threads, atoi(entry->d_name));
	if (directory)
		closedir(directory);
	return err;
}

/*
 * Calls take() for each thread of a process, until it returns an error. It returns 1 if the thread
 * is there. Returns how many were, or that error. The newest come first: one that lives for
 * microseconds is gone when thousands of others have been read.
 */
static int for_each_thread(pid_t pid, int (*take)(pid_t pid, pid_t tid, struct ids *ids),
			   struct ids *ids)
{
	struct ids threads = { 0 };
	int err = list_threads(pid, &threads), nr = 0;

	for (size_t i = threads.nr; i-- > 0 && err >= 0;) {
		err = take(pid, threads.id[i], ids);
		nr += err == 1;
	}
	ids_free(&threads);
	return err < 0 ? err : nr;
}

static int add_untraced(pid_t pid, pid_t tid, struct ids *ids)
{
	struct task_status status = status_of(pid, tid);
	int err = 0;

	if (status.there && !status.zombie && !status.tracer)
		err = ids_add(ids, tid);
	return err ? err : status.there;
}

int strace_list_untraced(pid_t pid, struct ids *threads)
{
	long before = threads_of(pid);
	int nr = for_each_thread(pid, add_untraced, threads);

	return nr < 0 ? nr : nr == before && nr == threads_of(pid);
}

static int add_children(pid_t pid, pid_t tid, struct ids *ids)
{
	FILE *children = open_of_task(pid, tid, "children");
	int child, err = 0;

	while (children && !err && fscanf(children, "%d", &child) == 1)
		err = ids_add(ids, child);
	if (children)
		fclose(children);
	return err;
}

int strace_list_children(pid_t pid, struct ids *children)
{
	int nr = for_each_thread(pid, add_children, children);

	return nr < 0 ? nr : 0;
}

long strace_switches_of(pid_t pid, pid_t tid)
{
	FILE *file = open_of_task(pid, tid, "status");
	long switches = -1;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "voluntary_ctxt_switches: %ld", &switches) == 1)
			break;
	if (file)
		fclose(file);
	return switches;
}

int strace_call_of(pid_t pid, pid_t tid)
{
	FILE *file = open_of_task(pid, tid, "syscall");
	int nr = -1;

	/* proc(5) has "running" here, or a number, which is -1 where the task is in no call. */
	if (file && fscanf(file, "%d", &nr) != 1)
		nr = -1;
	if (file)
		fclose(file);
	return nr;
}
