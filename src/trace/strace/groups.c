// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/groups.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/profile_groups.h"
#include "trace/file_rows.h"
#include "trace/strace/uses.h"

/*
 * What tells groups apart; what they are not told apart by is 0. An id of a task may be another
 * one's later, so it stands with a number that each task gets at its first call.
 */
struct key {
	char comm[16];
	pid_t process, thread;
	uint64_t process_nr, thread_nr;
};

struct group {
	struct key key;
	uint32_t id, parent;
	char process[16], comm[16]; /* The latest names. */
	pid_t pid, tid;
};

struct strace_groups {
	unsigned by[MAX_GROUP_KEYS];
	void *tree, *parents; /* Trees of tsearch(3), by the whole key and by the first. */
	struct group **list;  /* By id, from GROUP_FIRST on. */
	size_t nr, max;
	uint64_t nr_tasks;
	struct strace_uses *uses; /* Of files, by group. */
};

static int compare_keys(const void *x, const void *y)
{
	return memcmp(&((const struct group *)x)->key, &((const struct group *)y)->key,
		      sizeof(struct key));
}

struct strace_groups *strace_groups__new(const unsigned by[MAX_GROUP_KEYS], size_t max,
					 size_t max_uses)
{
	struct strace_groups *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	memcpy(g->by, by, sizeof(g->by));
	g->max = max;
	g->uses = strace_uses__new(max_uses);
	if (g->uses)
		return g;
	free(g);
	return NULL;
}

static void free_nothing(void *nothing)
{
	(void)nothing;
}

void strace_groups__free(struct strace_groups *g)
{
	if (!g)
		return;
	strace_uses__free(g->uses);
	tdestroy(g->parents, free);
	tdestroy(g->tree, free_nothing);
	for (size_t i = 0; i < g->nr; i++)
		free(g->list[i]);
	free(g->list);
	free(g);
}

/* Returns the process of a task: its own id if that is all that is known, as after an execve. */
static pid_t process_of(const struct strace_task *task)
{
	return task->who.pid ?: task->pid;
}

static void fill_key(struct key *key, const struct strace_task *task, unsigned by)
{
	if (by & BY_COMM)
		memcpy(key->comm, task->name.comm, sizeof(key->comm));
	if (by & BY_PROCESS) {
		key->process = process_of(task);
		key->process_nr = task->process_nr;
	}
	if (by & BY_THREAD) {
		key->thread = task->pid;
		key->thread_nr = task->nr_of_task;
	}
}

/* Returns the lowest id of the groups that have this one's first key in common. 0: no memory. */
static uint32_t parent_of(struct strace_groups *g, const struct strace_task *task, uint32_t id)
{
	struct group *parent = calloc(1, sizeof(*parent)), **place;

	if (!parent)
		return 0;
	fill_key(&parent->key, task, g->by[0]);
	parent->id = id;
	place = tsearch(parent, &g->parents, compare_keys);
	if (!place || *place != parent)
		free(parent);
	return place ? (*place)->id : 0;
}

static struct group *make_group(struct strace_groups *g, const struct group *wanted,
				const struct strace_task *task)
{
	struct group *group = malloc(sizeof(*group)), **place = NULL;

	if (group) {
		*group = *wanted;
		group->id = GROUP_FIRST + (uint32_t)g->nr;
		group->parent = g->by[1] ? parent_of(g, task, group->id) : 0;
		place = array_append(&g->list, &g->nr, sizeof(group));
	}
	if (place && tsearch(group, &g->tree, compare_keys))
		return *place = group;
	g->nr -= place != NULL;
	free(group);
	return NULL;
}

/*
 * Gives a task its numbers. That of its process is its first thread's, which may have made no call
 * yet. Returns 0 or -ENOMEM.
 */
static int number_task(struct strace_groups *g, struct strace_tasks *tasks,
		       struct strace_task *task)
{
	struct strace_task *first = strace_tasks_get(tasks, process_of(task));

	if (!first)
		return -ENOMEM;
	if (!first->nr_of_task)
		first->nr_of_task = ++g->nr_tasks;
	if (!task->nr_of_task)
		task->nr_of_task = ++g->nr_tasks;
	if (!task->process_nr)
		task->process_nr = first->nr_of_task;
	return 0;
}

/* Gives a group the name of its process: that of the first thread, once it has made a call. */
static void name_process(struct group *group, const struct strace_tasks *tasks,
			 const struct strace_task *task)
{
	const struct strace_task *first = strace_tasks_find(tasks, process_of(task));

	memcpy(group->process, first && first->name.comm[0] ? first->name.comm : task->who.comm,
	       sizeof(group->process));
}

int strace_groups__enter(struct strace_groups *g, struct strace_tasks *tasks,
			 struct strace_task *task)
{
	struct group wanted = { .pid = process_of(task), .tid = task->pid }, *group, **place;

	if (number_task(g, tasks, task))
		return -ENOMEM;
	fill_key(&wanted.key, task, g->by[0] | g->by[1]);
	place = tfind(&wanted, &g->tree, compare_keys);
	group = place ? *place : NULL;
	task->group = GROUP_OTHER;
	if (!group && g->nr >= g->max)
		return 0;
	if (!group)
		group = make_group(g, &wanted, task);
	if (!group)
		return -ENOMEM;
	memcpy(group->comm, task->name.comm, sizeof(group->comm));
	name_process(group, tasks, task);
	task->group = group->id;
	return 0;
}

static int add_call(struct group_call *c, const struct strace_line *l)
{
	uint64_t bytes = (uint64_t)l->value;

	c->calls++;
	if (l->timed) {
		c->min_ns = c->timed && c->min_ns < l->ns ? c->min_ns : l->ns;
		c->max_ns = c->max_ns > l->ns ? c->max_ns : l->ns;
		c->timed++;
		c->total_ns += l->ns;
		c->latency[file_latency_bucket(l->ns)]++;
	}
	if (l->failed) {
		c->errors++;
		/* An errno that has no name here is none. */
		return l->err ? errno_counts_add(&c->errnos, &c->nr_errnos, l->err, 1) : 0;
	}
	if (c->transfers && l->value >= 0) {
		c->bytes += bytes;
		c->sizes[size_bucket(bytes)]++;
	}
	return 0;
}

int strace_groups__count(struct profile *p, const struct strace_task *task,
			 const struct syscall_stats *row, const struct strace_line *l)
{
	struct group_stats *g = profile_group(p, task->group);
	struct group_call *c = g ? group_stats_call(g, row->abi, row->nr) : NULL;

	if (!c)
		return -ENOMEM;
	memcpy(c->name, row->name, sizeof(c->name));
	c->transfers = row->transfers;
	return add_call(c, l);
}

int strace_groups__use(struct strace_groups *g, const struct strace_task *task, uint32_t row)
{
	int err = strace_uses__add(g->uses, row, task->group);

	/* Who made calls that find no room is not known. */
	return err == -ENOSPC ? 0 : err;
}

static int put_use(void *profile, uint32_t row, uint32_t group, uint64_t calls)
{
	return file_row_add_group(profile, row, group, calls);
}

int strace_groups__put(const struct strace_groups *g, struct profile *p)
{
	unsigned by = g->by[0] | g->by[1];
	int err = strace_uses__each(g->uses, put_use, p);

	memcpy(p->by, g->by, sizeof(p->by));
	for (size_t i = 0; i < g->nr; i++) {
		const struct group *group = g->list[i];
		struct group_stats *row = profile_find_group(p, group->id);

		if (!row)
			continue;
		row->parent = group->parent;
		if (by & (BY_COMM | BY_THREAD))
			memcpy(row->comm, group->comm, sizeof(row->comm));
		if (by & (BY_PROCESS | BY_THREAD)) {
			memcpy(row->process, group->process, sizeof(row->process));
			row->pid = group->pid;
		}
		if (by & BY_THREAD)
			row->tid = group->tid;
	}
	return err ? err : profile_name_executables(p);
}
