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
#include "trace/strace/uses.h"

/* The number of a program that is counted among those that are missing. */
#define MISSING UINT_MAX

struct program {
	struct strace_who who;
	uint64_t calls, total_ns;
};

struct strace_users {
	void *programs; /* A tree of tsearch(3). */
	struct program **list;
	size_t nr_programs, max;
	struct strace_uses *uses; /* Of files, by program. */
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

struct strace_users *strace_users__new(size_t max)
{
	struct strace_users *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->max = max;
	u->uses = strace_uses__new(2 * max);
	if (u->uses)
		return u;
	free(u);
	return NULL;
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
	strace_uses__free(u->uses);
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

	if (!err && !who->nr) {
		who->nr = MISSING;
		u->missing++;
	}
	if (err || who->nr == MISSING)
		return err;
	err = strace_uses__add(u->uses, row, who->nr);
	if (err != -ENOSPC)
		return err;
	u->missing++;
	return 0;
}

/* What put_use() needs. */
struct putting {
	const struct strace_users *users;
	struct profile *profile;
};

static int put_use(void *putting, uint32_t row, uint32_t program, uint64_t calls)
{
	const struct putting *to = putting;
	const struct strace_who *who = &to->users->list[program - 1]->who;

	return file_row_add_user(to->profile, row, who->pid, who->comm, calls);
}

int strace_users__put(const struct strace_users *u, struct profile *p)
{
	struct putting to = { u, p };
	int err = 0;

	for (size_t i = 0; i < u->nr_programs && !err; i++) {
		const struct program *one = u->list[i];
		struct program_stats program = { .pid = one->who.pid, .exe = one->who.exe };
		struct program_calls calls = { "", 1, one->calls, one->total_ns };

		memcpy(program.comm, one->who.comm, sizeof(program.comm));
		memcpy(calls.comm, one->who.comm, sizeof(calls.comm));
		err = profile_add_program(p, &program);
		if (!err)
			err = profile_add_program_calls(p, &calls);
	}
	profile_sort_programs(p);
	profile_sort_program_calls(p);
	p->lost_file_users = u->missing;
	return err ? err : strace_uses__each(u->uses, put_use, &to);
}
