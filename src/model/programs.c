// SPDX-License-Identifier: GPL-2.0
#include "model/programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/files.h"
#include "model/profile.h"

int profile_add_program(struct profile *p, const struct program_stats *program)
{
	struct program_stats *copy = array_append(&p->programs, &p->nr_programs, sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	*copy = *program;
	copy->comm[sizeof(copy->comm) - 1] = '\0';
	busy_add(&p->busy, &program->busy);
	copy->exe = program->exe ? strdup(program->exe) : NULL;
	return program->exe && !copy->exe ? -ENOMEM : 0;
}

void programs_free(struct profile *p)
{
	for (size_t i = 0; i < p->nr_programs; i++)
		free(p->programs[i].exe);
	free(p->programs);
	p->programs = NULL;
	p->nr_programs = 0;
}

static int by_pid(const void *x, const void *y)
{
	const struct program_stats *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid > b->pid ? 1 : -1;
	return memcmp(a->comm, b->comm, sizeof(a->comm));
}

void profile_sort_programs(struct profile *p)
{
	if (p->nr_programs)
		qsort(p->programs, p->nr_programs, sizeof(*p->programs), by_pid);
}

struct program_stats *profile_program_of_user(const struct profile *p, const struct file_user *u)
{
	struct program_stats key = { .pid = u->pid };

	if (!p->nr_programs)
		return NULL;
	memcpy(key.comm, u->comm, sizeof(key.comm));
	return bsearch(&key, p->programs, p->nr_programs, sizeof(key), by_pid);
}

const struct program_stats *profile_only_program(const struct profile *p, pid_t pid)
{
	const struct program_stats *found = NULL;

	for (size_t i = 0; i < p->nr_programs; i++) {
		if (p->programs[i].pid != pid)
			continue;
		if (found)
			return NULL;
		found = &p->programs[i];
	}
	return found;
}

struct busy profile_busy_of_users(const struct profile *p, const struct file_stats *f)
{
	struct busy sum = { 0 };

	for (size_t i = 0; i < f->nr_users; i++) {
		const struct program_stats *program = profile_program_of_user(p, &f->users[i]);

		if (program)
			busy_add(&sum, &program->busy);
	}
	return sum;
}

static const struct program_stats *first_program(const struct profile *p,
						 const struct file_stats *f)
{
	return f->nr_users ? profile_program_of_user(p, &f->users[0]) : NULL;
}

enum logger profile_logger_of_users(const struct profile *p, const struct file_stats *f)
{
	const struct program_stats *program = first_program(p, f);

	return program ? program->logger : LOGGER_NONE;
}

bool profile_has_threads_on(const struct profile *p, const struct file_stats *f)
{
	const struct program_stats *program = first_program(p, f);
	struct file_call all;

	if (!program || !program->most_calls || f->processes != 1 || f->nr_users != 1)
		return false;
	file_stats_sum(&all, f, NR_SYSCALL_ACTIONS);
	return all.calls - all.waits > program->most_calls + program->most_calls / 16;
}

enum language profile_language_of_users(const struct profile *p, const struct file_stats *f)
{
	const struct program_stats *program = first_program(p, f);
	enum language l;

	if (program && program->language)
		return program->language;
	l = f->nr_users ? language_of_interpreter(f->users[0].comm) : NR_LANGUAGES;
	return l == NR_LANGUAGES ? LANGUAGE_UNKNOWN : l;
}
