// SPDX-License-Identifier: GPL-2.0
/*
 * The slack of those who use a file: how much less they may work before the run ends any sooner.
 * A program that sleeps for a clock, a peer or a lock sleeps longer when it works less, and one
 * that ends before others that ran beside it leaves them as they are.
 *
 * Sleep is no slack where somebody works for the sleeper alone: its disk, and its children. A
 * program that ends later, but has slept while the users worked, and no longer than that, may have
 * waited for them: it then begins sooner, and is no reason for slack.
 */
#include "model/slack.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "model/files.h"
#include "model/profile.h"
#include "model/programs.h"

/* Files with fewer calls have no findings. */
#define MIN_CALLS_OF_FILE 50
/* The kernel's count of a running task's time is as old as its last tick, at 250 ticks a second. */
#define TICK_NS 4000000
/* A peer answers sooner than this. */
#define SHORT_SLEEP_NS 10000000
/* Who waits for a child, and reads what it writes, sleeps up to so often. */
#define SLEEPS_FOR_CHILD 10

#define MAX_ANCESTORS 100

/* What a program is to the file that is looked at. */
enum relation {
	RELATION_OTHER,
	RELATION_USER,
	RELATION_ANCESTOR, /* It made a user, or one of its ancestors, and waits for that. */
};

struct slack {
	const struct profile *profile;
	uint64_t work_ns;   /* Work of all programs. */
	uint64_t *slack_ns; /* Slack of each program until it ends. */
	uint64_t *children; /* Number of programs that each has made. */
	enum relation *relations;
};

static uint64_t max_ns(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t min_ns(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t span_ns(const struct program_stats *p)
{
	return sub_saturated(p->last_ns, p->first_ns);
}

/* Returns the time during which both ran. */
static uint64_t common_ns(const struct program_stats *a, const struct program_stats *b)
{
	return sub_saturated(min_ns(a->last_ns, b->last_ns), max_ns(a->first_ns, b->first_ns));
}

static int by_pid(const void *key, const void *element)
{
	const pid_t *pid = key;
	const struct program_stats *p = element;

	return (*pid > p->pid) - (*pid < p->pid);
}

/* Returns the first of the programs of a process, which lie together. NULL: there is none. */
static const struct program_stats *first_of_process(const struct profile *p, pid_t pid)
{
	const struct program_stats *found =
		pid > 0 && p->nr_programs
			? bsearch(&pid, p->programs, p->nr_programs, sizeof(*found), by_pid)
			: NULL;

	while (found > p->programs && found[-1].pid == pid)
		found--;
	return found;
}

static bool is_of_process(const struct profile *p, const struct program_stats *program, pid_t pid)
{
	return program && program < p->programs + p->nr_programs && program->pid == pid;
}

static void take_off(uint64_t *ns, uint64_t less)
{
	*ns = sub_saturated(*ns, less);
}

/* Waiting for the disk is no slack. */
static void take_off_disk(struct slack *s, const struct file_stats *files, size_t nr_files)
{
	const struct profile *p = s->profile;

	for (size_t i = 0; i < nr_files; i++) {
		const struct program_stats *program =
			file_is_on_disk(&files[i]) && files[i].nr_users
				? profile_program_of_user(p, &files[i].users[0])
				: NULL;
		struct file_call all;

		if (!program)
			continue;
		file_stats_sum(&all, &files[i], NR_SYSCALL_ACTIONS);
		take_off(&s->slack_ns[program - p->programs], all.wait_ns);
	}
}

/*
 * Waiting for a child is no slack: it takes a few sleeps for each child. Who sleeps far more often
 * looks now and then what the child has done.
 */
static void take_off_children(struct slack *s)
{
	const struct profile *p = s->profile;

	for (size_t i = 0; i < p->nr_programs; i++) {
		const struct program_stats *child = &p->programs[i];
		const struct program_stats *parent = first_of_process(p, child->parent);

		for (; is_of_process(p, parent, child->parent); parent++)
			s->children[parent - p->programs]++;
	}

	for (size_t i = 0; i < p->nr_programs; i++) {
		const struct program_stats *child = &p->programs[i];
		const struct program_stats *parent = first_of_process(p, child->parent);

		for (; is_of_process(p, parent, child->parent); parent++)
			if (parent->sleeps <= SLEEPS_FOR_CHILD * s->children[parent - p->programs])
				take_off(&s->slack_ns[parent - p->programs],
					 common_ns(parent, child));
	}
}

/*
 * Does a thread of such a program wait for others that compile, collect garbage, or go on with its
 * work?
 */
static bool has_runtime(enum language l)
{
	return l == LANGUAGE_GO || l == LANGUAGE_JAVA || l == LANGUAGE_NODE;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Returns the time that a program worked, or would have with a CPU for each of its threads. */
static uint64_t work_ns(const struct program_stats *p)
{
	return p->busy.user_ns + p->busy.system_ns + p->delayed_ns;
}

/*
 * Returns the time that a program slept while the run did not depend on it. Of a program with a
 * runtime it is the time that none of its threads worked. Whoever sleeps for a short time each may
 * be in a dialogue, in which one of two works at a time: there, the run is idle, or two work beside
 * each other, for no longer than run and work differ.
 */
static uint64_t slept_ns(const struct slack *s, const struct program_stats *program)
{
	uint64_t slept = program->slept_ns;

	if (has_runtime(program->language))
		slept = min_ns(slept, sub_saturated(span_ns(program), work_ns(program)));
	if (program->sleeps && slept / program->sleeps < SHORT_SLEEP_NS)
		slept = min_ns(slept, distance(s->profile->elapsed_ns, s->work_ns));
	return slept;
}

/* Marks the ancestors of a process, up to one whose own are marked. */
static void mark_ancestors(struct slack *s, pid_t pid)
{
	const struct profile *p = s->profile;
	const struct program_stats *program = first_of_process(p, pid);

	/* Pids that were given again may lead in a circle of users, which are never marked. */
	for (int i = 0; program && i < MAX_ANCESTORS; i++) {
		pid = program->parent;
		program = first_of_process(p, pid);
		if (program && s->relations[program - p->programs] == RELATION_ANCESTOR)
			return;
		for (const struct program_stats *q = program; is_of_process(p, q, pid); q++)
			if (s->relations[q - p->programs] == RELATION_OTHER)
				s->relations[q - p->programs] = RELATION_ANCESTOR;
	}
}

/* Marks the users and their ancestors. Returns the users as one program. */
static struct program_stats mark_users(struct slack *s, const struct file_user *users, size_t nr,
				       size_t nr_waiting)
{
	const struct profile *p = s->profile;
	struct program_stats all = { .first_ns = UINT64_MAX };

	for (size_t i = 0; i < p->nr_programs; i++)
		s->relations[i] = RELATION_OTHER;
	for (size_t i = 0; i < nr; i++) {
		const struct program_stats *user = profile_program_of_user(p, &users[i]);

		if (!user || !user->first_ns)
			continue;
		s->relations[user - p->programs] = RELATION_USER;
		all.first_ns = min_ns(all.first_ns, user->first_ns);
		all.last_ns = max_ns(all.last_ns, user->last_ns);
		if (i < nr_waiting)
			all.busy.slack_ns += s->slack_ns[user - p->programs];
		all.sleeps += user->sleeps;
	}
	for (size_t i = 0; i < nr; i++)
		mark_ancestors(s, users[i].pid);
	return all;
}

/* May this program, which runs beside the users and longer, have waited for them? */
static bool may_depend(const struct program_stats *other, const struct program_stats *users)
{
	return other->slept_ns > TICK_NS && other->slept_ns <= common_ns(other, users) + TICK_NS;
}

static void look_at_users(struct slack *s, const struct file_user *list, size_t nr,
			  size_t nr_waiting, struct busy *busy)
{
	const struct profile *p = s->profile;
	struct program_stats users = mark_users(s, list, nr, nr_waiting);
	uint64_t longer_ns = 0, process_ns = 0;

	if (!users.last_ns)
		return;
	for (size_t i = 0; i < p->nr_programs; i++) {
		const struct program_stats *other = &p->programs[i];

		/* The programs of a process follow each other. */
		if (!i || other->pid != other[-1].pid)
			process_ns = 0;
		if (s->relations[i] == RELATION_USER)
			continue;
		process_ns += min_ns(other->busy.user_ns + other->busy.system_ns, span_ns(other));
		busy->others_ns = max_ns(busy->others_ns, process_ns);
		if (s->relations[i] == RELATION_OTHER && common_ns(other, &users) &&
		    !may_depend(other, &users))
			longer_ns = max_ns(longer_ns, sub_saturated(other->last_ns, users.last_ns));
	}
	busy->slack_ns = users.busy.slack_ns + longer_ns;
	busy->sleeps = users.sleeps;
}

/* Finds the slack of each program by itself. Returns 0 or -ENOMEM; call end() in either case. */
static int begin(struct slack *s, const struct profile *p, const struct file_stats *files,
		 size_t nr_files)
{
	*s = (struct slack){
		.profile = p,
		.slack_ns = calloc(p->nr_programs + 1, sizeof(*s->slack_ns)),
		.children = calloc(p->nr_programs + 1, sizeof(*s->children)),
		.relations = calloc(p->nr_programs + 1, sizeof(*s->relations)),
	};
	if (!s->slack_ns || !s->children || !s->relations)
		return -ENOMEM;
	for (size_t i = 0; i < p->nr_programs; i++)
		s->work_ns += work_ns(&p->programs[i]);
	for (size_t i = 0; i < p->nr_programs; i++)
		s->slack_ns[i] = sub_saturated(slept_ns(s, &p->programs[i]), TICK_NS);
	take_off_disk(s, files, nr_files);
	take_off_children(s);
	return 0;
}

static void end(struct slack *s)
{
	free(s->slack_ns);
	free(s->children);
	free(s->relations);
}

int slack_of_files(const struct profile *p, struct file_stats *files, size_t nr_files)
{
	struct slack s;
	int err = begin(&s, p, files, nr_files);

	for (size_t i = 0; !err && p->nr_programs && i < nr_files; i++)
		if (files[i].total_calls >= MIN_CALLS_OF_FILE)
			look_at_users(&s, files[i].users, files[i].nr_users, files[i].nr_users,
				      &files[i].busy);
	end(&s);
	return err;
}

int slack_of_users(const struct profile *p, const struct file_user *users, size_t nr,
		   size_t nr_waiting, struct busy *busy)
{
	struct slack s;
	int err = begin(&s, p, NULL, 0);

	if (!err)
		look_at_users(&s, users, nr, nr_waiting, busy);
	end(&s);
	return err;
}
