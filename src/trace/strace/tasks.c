// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/tasks.h"

#include "base/array.h"

/* The place of a pid in the table, or where it would be put. */
static size_t place_of(const struct strace_tasks *t, pid_t pid)
{
	size_t low = 0, high = t->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (t->table[middle]->pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct strace_task *strace_tasks_find(const struct strace_tasks *t, pid_t pid)
{
	size_t place = place_of(t, pid);

	return place < t->nr && t->table[place]->pid == pid ? t->table[place] : NULL;
}

struct strace_task *strace_tasks_get(struct strace_tasks *t, pid_t pid)
{
	struct strace_task *task = strace_tasks_find(t, pid), **place;

	if (task)
		return task;
	task = calloc(1, sizeof(*task));
	place = task ? array_insert(&t->table, &t->nr, place_of(t, pid), sizeof(task)) : NULL;
	if (!place) {
		free(task);
		return NULL;
	}
	task->pid = pid;
	return *place = task;
}

/*
 * The kernel does not begin these again, signal(7): they return EINTR, which strace does not see.
 */
static bool is_given_up(enum iotrace_abi abi, int nr)
{
	static const char *const names[] = { "epoll_wait",	  "epoll_pwait",
					     "epoll_pwait2",	  "semop",
					     "semtimedop",	  "rt_sigtimedwait",
					     "semtimedop_time64", "rt_sigtimedwait_time64" };
	char name[40];

	syscall_name(abi, nr, name, sizeof(name));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

bool strace_task_begins_again(const struct strace_task *task, enum iotrace_abi abi, int *nr)
{
	if (!task->expected || task->before < 0)
		return false;
	if (*nr == syscall_number(abi, "restart_syscall"))
		*nr = task->before;
	return *nr == task->before && !is_given_up(abi, *nr);
}

void strace_task_take_name(struct strace_task *task, const char comm[16])
{
	struct strace_name *name = &task->name;

	if (*name->outdated && !strcmp(name->outdated, comm)) {
		memcpy(name->comm, task->who.comm, sizeof(name->comm));
		return;
	}
	*name->outdated = '\0';
	memcpy(name->comm, comm, sizeof(name->comm));
}

void strace_task_rename(struct strace_task *task)
{
	struct strace_name *name = &task->name;

	if (!*task->who.comm)
		return;
	memcpy(name->outdated, name->comm, sizeof(name->outdated));
	memcpy(name->comm, task->who.comm, sizeof(name->comm));
}

static void free_task(struct strace_task *task)
{
	free(task->path);
	free(task->who.exe);
	free(task);
}

void strace_tasks_remove(struct strace_tasks *t, pid_t pid)
{
	size_t place = place_of(t, pid);

	if (place == t->nr || t->table[place]->pid != pid)
		return;
	free_task(t->table[place]);
	memmove(t->table + place, t->table + place + 1,
		(--t->nr - place) * sizeof(struct strace_task *));
}

void strace_tasks_free(struct strace_tasks *t)
{
	for (size_t i = 0; i < t->nr; i++)
		free_task(t->table[i]);
	free(t->table);
	*t = (struct strace_tasks){ 0 };
}
