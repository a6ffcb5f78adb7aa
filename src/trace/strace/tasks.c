// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/tasks.h"

#include <stdlib.h>

#define FIRST_SIZE 16

static void free_contents(struct strace_task *task)
{
	free(task->path);
	task->path = NULL;
	strace_who_forget(&task->who);
}

static size_t home(const struct strace_tasks *t, pid_t pid)
{
	return (uint32_t)pid * 2654435769u >> 7 & (t->size - 1);
}

/* The place of the pid, or the place to put it. The table is never full. */
static size_t place(const struct strace_tasks *t, pid_t pid)
{
	size_t i = home(t, pid);

	while (t->table[i].pid && t->table[i].pid != pid)
		i = (i + 1) & (t->size - 1);
	return i;
}

struct strace_task *strace_tasks_find(const struct strace_tasks *t, pid_t pid)
{
	struct strace_task *task;

	if (!t->size)
		return NULL;
	task = &t->table[place(t, pid)];
	return task->pid ? task : NULL;
}

static bool grow(struct strace_tasks *t)
{
	struct strace_tasks larger = { .size = t->size ? 2 * t->size : FIRST_SIZE };

	larger.table = calloc(larger.size, sizeof(*larger.table));
	if (!larger.table)
		return false;
	for (size_t i = 0; i < t->size; i++) {
		if (t->table[i].pid)
			larger.table[place(&larger, t->table[i].pid)] = t->table[i];
	}
	larger.used = t->used;
	free(t->table);
	*t = larger;
	return true;
}

struct strace_task *strace_tasks_get(struct strace_tasks *t, pid_t pid)
{
	struct strace_task *task = strace_tasks_find(t, pid);

	if (task)
		return task;
	if (t->used >= t->size / 4 * 3 && !grow(t))
		return NULL;
	task = &t->table[place(t, pid)];
	*task = (struct strace_task){ .pid = pid };
	t->used++;
	return task;
}

void strace_tasks_remove(struct strace_tasks *t, pid_t pid)
{
	size_t mask = t->size - 1, hole, i;

	if (!strace_tasks_find(t, pid))
		return;
	free_contents(strace_tasks_find(t, pid));
	hole = place(t, pid);
	t->used--;
	/* Move an entry into the hole if it could not be found across it. */
	for (i = (hole + 1) & mask; t->table[i].pid; i = (i + 1) & mask) {
		size_t distance = (i - home(t, t->table[i].pid)) & mask;

		if (distance < ((i - hole) & mask))
			continue;
		t->table[hole] = t->table[i];
		hole = i;
	}
	t->table[hole].pid = 0;
}

void strace_tasks_free(struct strace_tasks *t)
{
	for (size_t i = 0; i < t->size; i++)
		if (t->table[i].pid)
			free_contents(&t->table[i]);
	free(t->table);
	*t = (struct strace_tasks){ 0 };
}
