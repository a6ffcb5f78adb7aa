// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/users.h"

#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/file_rows.h"

/* The number of a program that is counted among those that are missing. */
#define MISSING UINT_MAX

struct use {
	uint32_t row;
	unsigned program;
	uint64_t calls;
};

struct program {
	struct strace_who who;
	uint64_t calls, total_ns;
};

struct strace_users {
	void *programs, *uses; /* Trees of tsearch(3). */
	struct program **list;
	size_t nr_programs, nr_uses, max;
	uint64_t missing;
};

void strace_who_forget(struct strace_who *w)
{
	free(w->exe);
	*w = (struct strace_who){ 0 };
}

/* Compares two struct strace_who, with which a struct program begins. */
static int compare_programs(const void *x, const void *y)
{
	const struct strace_who *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid > b->pid ? 1 : -1;
	return strcmp(a->comm, b->comm);
}

static int compare_uses(const void *x, const void *y)
{
	const struct use *a = x, *b = y;

	if (a->program != b->program)
		return a->program > b->program ? 1 : -1;
	return (a->row > b->row) - (a->row < b->row);
}

struct strace_users *strace_users__new(size_t max)
{
	struct strace_users *u = calloc(1, sizeof(*u));

	if (u)
		u->max = max;
	return u;
}

static void free_program(void *program)
{
	free(((struct program *)program)->who.exe);
	free(program);
}

void strace_users__free(struct strace_users *u)
{
	if (!u)
		return;
	tdestroy(u->programs, free_program);
	tdestroy(u->uses, free);
	free(u->list);
	free(u);
}

/* Adds a program, as yet without its executable. NULL: no memory. */
static struct program *make_program(struct strace_users *u, const struct strace_who *who)
{
	struct program *program = calloc(1, sizeof(*program)), **place = NULL;

	if (program) {
		program->who = *who;
		program->who.exe = NULL;
		place = array_append(&u->list, &u->nr_programs, sizeof(program));
	}
	if (place && tsearch(program, &u->programs, compare_programs)) {
		program->who.nr = (unsigned)u->nr_programs;
		return *place = program;
	}
	u->nr_programs -= place != NULL;
	free(program);
	return NULL;
}

/* Gives a program its number, if it is known and has room. 0 or -ENOMEM. */
static int look_up(struct strace_users *u, struct strace_who *who)
{
	struct program **place = who->pid ? tfind(who, &u->programs, compare_programs) : NULL;
	struct program *program;

	if (!place && (!who->pid || u->nr_programs >= u->max))
		return 0;
	program = place ? *place : make_program(u, who);
	if (!program)
		return -ENOMEM;
	who->nr = program->who.nr;
	/* The last one counts: a script may have executed the program that it is named after. */
	if (who->exe) {
		free(program->who.exe);
		program->who.exe = strdup(who->exe);
	}
	return !who->exe || program->who.exe ? 0 : -ENOMEM;
}

int strace_users__number(struct strace_users *u, struct strace_who *who, unsigned *nr)
{
	int err = who->nr ? 0 : look_up(u, who);

	*nr = who->nr == MISSING ? 0 : who->nr;
	return err;
}

void strace_users__count(struct strace_users *u, unsigned nr, uint64_t ns)
{
	if (!nr)
		return;
	u->list[nr - 1]->calls++;
	u->list[nr - 1]->total_ns += ns;
}

int strace_users__add(struct strace_users *u, struct strace_who *who, uint32_t row)
{
	int err = who->nr ? 0 : look_up(u, who);
	struct use wanted = { row, who->nr, 0 }, *use, **place;

	if (!err && !who->nr) {
		who->nr = MISSING;
		u->missing++;
	}
	if (err || who->nr == MISSING)
		return err;
	place = tfind(&wanted, &u->uses, compare_uses);
	if (place) {
		(*place)->calls++;
		return 0;
	}
	if (u->nr_uses >= 2 * u->max) {
		u->missing++;
		return 0;
	}
	use = malloc(sizeof(*use));
	if (!use)
		return -ENOMEM;
	*use = (struct use){ row, who->nr, 1 };
	if (!tsearch(use, &u->uses, compare_uses)) {
		free(use);
		return -ENOMEM;
	}
	u->nr_uses++;
	return 0;
}

/* The state of a walk through the tree of uses. */
struct putting {
	const struct strace_users *users;
	struct profile *profile;
	int err;
};

static void put_use(const void *node, VISIT visit, void *closure)
{
	const struct use *use = *(const struct use *const *)node;
	struct putting *w = closure;
	const struct strace_who *program = &w->users->list[use->program - 1]->who;

	if (w->err || (visit != postorder && visit != leaf))
		return;
	w->err = file_row_add_user(w->profile, use->row, program->pid, program->comm, use->calls);
}

int strace_users__put(const struct strace_users *u, struct profile *p)
{
	struct putting w = { u, p, 0 };

	for (size_t i = 0; i < u->nr_programs && !w.err; i++) {
		const struct program *one = u->list[i];
		struct program_stats program = { .pid = one->who.pid, .exe = one->who.exe };
		struct program_calls calls = { "", 1, one->calls, one->total_ns };

		memcpy(program.comm, one->who.comm, sizeof(program.comm));
		memcpy(calls.comm, one->who.comm, sizeof(calls.comm));
		w.err = profile_add_program(p, &program);
		if (!w.err)
			w.err = profile_add_program_calls(p, &calls);
	}
	profile_sort_programs(p);
	profile_sort_program_calls(p);
	twalk_r(u->uses, put_use, &w);
	p->lost_file_users = u->missing;
	return w.err;
}
