// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/uses.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>

struct use {
	uint32_t row, who;
	uint64_t calls;
};

struct strace_uses {
	void *tree; /* Of tsearch(3). */
	size_t nr, max;
};

static int compare(const void *x, const void *y)
{
	const struct use *a = x, *b = y;

	if (a->who != b->who)
		return a->who > b->who ? 1 : -1;
	return (a->row > b->row) - (a->row < b->row);
}

struct strace_uses *strace_uses__new(size_t max)
{
	struct strace_uses *u = calloc(1, sizeof(*u));

	if (u)
		u->max = max;
	return u;
}

void strace_uses__free(struct strace_uses *u)
{
	if (!u)
		return;
	tdestroy(u->tree, free);
	free(u);
}

int strace_uses__add(struct strace_uses *u, uint32_t row, uint32_t who)
{
	const struct use wanted = { row, who, 1 };
	struct use **place = tfind(&wanted, &u->tree, compare), *use;

	if (place) {
		(*place)->calls++;
		return 0;
	}
	if (u->nr >= u->max)
		return -ENOSPC;
	use = malloc(sizeof(*use));
	if (!use)
		return -ENOMEM;
	*use = wanted;
	if (!tsearch(use, &u->tree, compare)) {
		free(use);
		return -ENOMEM;
	}
	u->nr++;
	return 0;
}

/* The state of a walk through the tree. */
struct walk {
	int (*hand)(void *arg, uint32_t row, uint32_t who, uint64_t calls);
	void *arg;
	int result;
};

static void visit(const void *node, VISIT order, void *closure)
{
	const struct use *use = *(const struct use *const *)node;
	struct walk *w = closure;

	if (!w->result && (order == postorder || order == leaf))
		w->result = w->hand(w->arg, use->row, use->who, use->calls);
}

int strace_uses__each(const struct strace_uses *u,
		      int (*hand)(void *arg, uint32_t row, uint32_t who, uint64_t calls), void *arg)
{
	struct walk w = { hand, arg, 0 };

	twalk_r(u->tree, visit, &w);
	return w.result;
}
