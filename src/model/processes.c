// SPDX-License-Identifier: GPL-2.0
#include "model/processes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/files.h"
#include "model/profile.h"
#include "model/slack.h"

/* A shell's subshells have so many ancestors of the same kind at most. */
#define MAX_ANCESTORS 100

/* A process under all its names. */
struct process {
	pid_t pid, parent;
	pid_t starter; /* The first of its ancestors that executes what its parent executes. */
	const struct program_stats *programs; /* Its rows lie together. */
	size_t nr_programs;
	const struct program_stats *last; /* What it was at its end. */
	uint64_t first_ns, last_ns;
};

struct processes {
	const struct profile *profile;
	struct process *list; /* The processes by pid. */
	size_t nr;
};

static void list_processes(struct processes *all)
{
	const struct profile *p = all->profile;

	for (size_t i = 0; i < p->nr_programs; i++) {
		const struct program_stats *program = &p->programs[i];
		struct process *process = all->nr ? &all->list[all->nr - 1] : NULL;

		if (!process || process->pid != program->pid) {
			process = &all->list[all->nr++];
			*process = (struct process){ .pid = program->pid,
						     .parent = program->parent,
						     .programs = program,
						     .last = program,
						     .first_ns = program->first_ns };
		}
		process->nr_programs++;
		if (program->first_ns < process->first_ns)
			process->first_ns = program->first_ns;
		if (program->last_ns > process->last->last_ns)
			process->last = program;
		process->last_ns = process->last->last_ns;
	}
}

static int by_pid(const void *key, const void *element)
{
	const pid_t *pid = key;
	const struct process *p = element;

	return (*pid > p->pid) - (*pid < p->pid);
}

static const struct process *find(const struct processes *all, pid_t pid)
{
	return bsearch(&pid, all->list, all->nr, sizeof(*all->list), by_pid);
}

static bool same_executable(const struct process *a, const struct process *b)
{
	return a->last->exe && b->last->exe && !strcmp(a->last->exe, b->last->exe);
}

/* Finds who starts a process: what a subshell starts, its shell does. */
static pid_t find_starter(const struct processes *all, const struct process *process)
{
	const struct process *parent = find(all, process->parent), *above;

	for (int i = 0; parent && i < MAX_ANCESTORS; i++) {
		above = find(all, parent->parent);
		if (!above || !same_executable(above, parent))
			return parent->pid;
		parent = above;
	}
	return process->parent;
}

/* Has it executed a file? A process that was only forked does its parent's work. */
static bool has_executed(const struct processes *all, const struct process *process)
{
	const struct process *parent = find(all, process->parent);

	return process->last->exe && process->first_ns && process->last_ns > process->first_ns &&
	       !(parent && same_executable(parent, process));
}

static int by_group(const void *x, const void *y)
{
	const struct process *a = x, *b = y;
	int order;

	if (a->starter != b->starter)
		return a->starter > b->starter ? 1 : -1;
	order = strcmp(a->last->exe, b->last->exe);
	return order ? order : (a->first_ns > b->first_ns) - (a->first_ns < b->first_ns);
}

static bool same_group(const struct process *a, const struct process *b)
{
	return a->starter == b->starter && same_executable(a, b);
}

/* Adds up the lives of processes of one group, which are in the order of their starts. */
static void add_up_lives(struct process_group *g, const struct process *list, size_t nr)
{
	uint64_t end_ns = 0;

	g->nr = nr;
	g->least_ns = UINT64_MAX;
	for (size_t i = 0; i < nr; i++) {
		uint64_t life_ns = list[i].last_ns - list[i].first_ns;
		uint64_t from_ns = list[i].first_ns > end_ns ? list[i].first_ns : end_ns;

		g->lives_ns += life_ns;
		if (life_ns < g->least_ns)
			g->least_ns = life_ns;
		if (list[i].last_ns <= from_ns)
			continue;
		g->spans_ns += list[i].last_ns - from_ns;
		end_ns = list[i].last_ns;
	}
}

static void add_user(struct file_user *users, size_t *nr, const struct process *process,
		     struct busy *busy)
{
	for (size_t i = 0; i < process->nr_programs; i++) {
		const struct program_stats *program = &process->programs[i];

		users[*nr].pid = program->pid;
		memcpy(users[*nr].comm, program->comm, sizeof(program->comm));
		(*nr)++;
		busy_add(busy, &program->busy);
	}
}

/* Finds how busy they are, and their starter: that one waits for them, or for others, too. */
static int find_busy(const struct processes *all, struct process_group *g,
		     const struct process *list, size_t nr)
{
	const struct process *starter = find(all, list->starter);
	struct file_user *users = calloc(all->profile->nr_programs, sizeof(*users));
	size_t nr_users = 0, nr_waiting;
	int err = users ? 0 : -ENOMEM;

	if (!err && starter) {
		add_user(users, &nr_users, starter, &g->busy);
		memcpy(g->parent, starter->last->comm, sizeof(g->parent));
	}
	nr_waiting = nr_users;
	for (size_t i = 0; !err && i < nr; i++)
		add_user(users, &nr_users, &list[i], &g->busy);
	if (!err)
		err = slack_of_users(all->profile, users, nr_users, nr_waiting, &g->busy);
	free(users);
	return err;
}

static int add_group(struct profile *p, const struct processes *all, const struct process *list,
		     size_t nr)
{
	struct process_group *g =
		array_append(&p->process_groups, &p->nr_process_groups, sizeof(*g));

	if (!g)
		return -ENOMEM;
	g->language = list->last->language;
	g->exe = strdup(list->last->exe);
	add_up_lives(g, list, nr);
	return g->exe ? find_busy(all, g, list, nr) : -ENOMEM;
}

static int add_groups(struct profile *p, const struct processes *all, struct process *list,
		      size_t nr)
{
	size_t first = 0;
	int err = 0;

	if (nr)
		qsort(list, nr, sizeof(*list), by_group);
	for (size_t i = 0; !err && i < nr; i++) {
		if (i + 1 < nr && same_group(&list[i + 1], &list[first]))
			continue;
		if (i + 1 - first >= MIN_PROCESSES)
			err = add_group(p, all, &list[first], i + 1 - first);
		first = i + 1;
	}
	return err;
}

int profile_group_processes(struct profile *p)
{
	struct processes all = { .profile = p,
				 .list = calloc(p->nr_programs + 1, sizeof(*all.list)) };
	struct process *started = calloc(p->nr_programs + 1, sizeof(*started));
	int err = all.list && started ? 0 : -ENOMEM;
	size_t nr = 0;

	if (!err)
		list_processes(&all);
	for (size_t i = 0; !err && i < all.nr; i++) {
		if (!has_executed(&all, &all.list[i]))
			continue;
		started[nr] = all.list[i];
		started[nr++].starter = find_starter(&all, &all.list[i]);
	}
	if (!err)
		err = add_groups(p, &all, started, nr);
	free(started);
	free(all.list);
	return err;
}

void process_groups_free(struct profile *p)
{
	for (size_t i = 0; i < p->nr_process_groups; i++)
		free(p->process_groups[i].exe);
	free(p->process_groups);
	p->process_groups = NULL;
	p->nr_process_groups = 0;
}
