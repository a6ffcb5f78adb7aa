// SPDX-License-Identifier: GPL-2.0
#include "model/groups.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "base/text.h"
#include "model/figures.h"

const struct group_key group_keys[NR_GROUP_KEYS] = {
	{ "comm", BY_COMM }, { "process", BY_PROCESS }, { "thread", BY_THREAD },
	{ "user", BY_USER }, { "cgroup", BY_CGROUP },
};

const struct group_key *group_key(unsigned bit)
{
	size_t i = 0;

	while (group_keys[i].bit != bit)
		i++;
	return &group_keys[i];
}

/* Runtimes name a container by 64 hexadecimal digits, and people by the first 12. */
#define CONTAINER_DIGITS 64
#define CONTAINER_SHORT	 12

/* Returns the last id of a container in a path, or NULL. */
static const char *container_in(const char *path)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = NULL;

	while (*path) {
		size_t len = strspn(path, digits);

		if (len == CONTAINER_DIGITS)
			found = path;
		path += len ? len : 1;
	}
	return found;
}

static const char *cgroup_name(char buf[GROUP_NAME_SIZE], const struct group_stats *g)
{
	const char *container = g->cgroup ? container_in(g->cgroup) : NULL;

	if (!container)
		return g->cgroup ? g->cgroup : "?";
	/* What is around the id, as in docker-ID.scope, ends with the next directory. */
	snprintf(buf, GROUP_NAME_SIZE, "%.*s%s", CONTAINER_SHORT, container,
		 strchrnul(container, '/'));
	return buf;
}

const char *group_name(char buf[GROUP_NAME_SIZE], const struct group_stats *g, unsigned bit)
{
	if (g->id == GROUP_OTHER)
		return "(other)";
	switch (bit) {
	case BY_PROCESS:
		return g->process;
	case BY_USER:
		if (g->user)
			return g->user;
		snprintf(buf, GROUP_NAME_SIZE, "%lld", g->uid);
		return buf;
	case BY_CGROUP:
		return cgroup_name(buf, g);
	default:
		return g->comm;
	}
}

/* Has the kernel cut this name of a program to this comm? */
static bool is_cut_to(const char *name, const char comm[16])
{
	return strlen(comm) == 15 && !strncmp(name, comm, 15);
}

bool group_is_called(const struct group_stats *g, unsigned bit, const char *name)
{
	char buf[GROUP_NAME_SIZE], escaped[4 * GROUP_NAME_SIZE];
	const char *own = group_name(buf, g, bit);

	if (!strcmp(own, name) || !strcmp(ESCAPE_TEXT(escaped, own), name))
		return true;
	if (g->id == GROUP_OTHER)
		return false;
	switch (bit) {
	case BY_USER:
		snprintf(buf, sizeof(buf), "%lld", g->uid);
		return !strcmp(buf, name);
	case BY_CGROUP:
		return g->cgroup && !strcmp(g->cgroup, name);
	default:
		return is_cut_to(name, own);
	}
}

const char *group_id(char buf[GROUP_ID_SIZE], const struct group_stats *g, unsigned bit)
{
	pid_t id = bit == BY_THREAD ? g->tid : g->pid;

	buf[0] = '\0';
	if (g->id == GROUP_OTHER)
		return buf;
	if (bit & (BY_PROCESS | BY_THREAD) && id)
		snprintf(buf, GROUP_ID_SIZE, "[%d]", id);
	else if (bit & (BY_PROCESS | BY_THREAD))
		snprintf(buf, GROUP_ID_SIZE, "[outside]");
	else if (bit == BY_USER && g->user)
		snprintf(buf, GROUP_ID_SIZE, " (%lld)", g->uid);
	return buf;
}

/* ---- the rows ---- */

static size_t call_position(const struct group_stats *g, enum iotrace_abi abi, int nr)
{
	size_t at = 0;

	while (at < g->nr_calls &&
	       (g->calls[at].abi < abi || (g->calls[at].abi == abi && g->calls[at].nr < nr)))
		at++;
	return at;
}

struct group_call *group_stats_find_call(const struct group_stats *g, enum iotrace_abi abi, int nr)
{
	size_t at = call_position(g, abi, nr);

	return at < g->nr_calls && g->calls[at].abi == abi && g->calls[at].nr == nr ? &g->calls[at]
										    : NULL;
}

struct group_call *group_stats_call(struct group_stats *g, enum iotrace_abi abi, int nr)
{
	struct group_call *c = group_stats_find_call(g, abi, nr);

	if (c)
		return c;
	c = array_insert(&g->calls, &g->nr_calls, call_position(g, abi, nr), sizeof(*c));
	if (c) {
		c->abi = abi;
		c->nr = nr;
	}
	return c;
}

void group_stats_free(struct group_stats *g)
{
	for (size_t i = 0; i < g->nr_calls; i++)
		free(g->calls[i].errnos);
	free(g->calls);
	free(g->user);
	free(g->cgroup);
	free(g->exe);
	memset(g, 0, sizeof(*g));
}

int group_stats_copy(struct group_stats *dst, const struct group_stats *src)
{
	*dst = *src;
	dst->nr_calls = 0;
	dst->user = src->user ? strdup(src->user) : NULL;
	dst->cgroup = src->cgroup ? strdup(src->cgroup) : NULL;
	dst->exe = src->exe ? strdup(src->exe) : NULL;
	dst->calls = array_copy(src->calls, src->nr_calls, sizeof(*src->calls));
	if ((src->user && !dst->user) || (src->cgroup && !dst->cgroup) || (src->exe && !dst->exe) ||
	    !dst->calls)
		goto fail;
	/* A row is counted once it owns what it points to. */
	for (; dst->nr_calls < src->nr_calls; dst->nr_calls++) {
		struct group_call *c = &dst->calls[dst->nr_calls];

		c->errnos = array_copy(c->errnos, c->nr_errnos, sizeof(*c->errnos));
		if (!c->errnos)
			goto fail;
	}
	return 0;
fail:
	group_stats_free(dst);
	return -ENOMEM;
}

void groups_free(struct group_stats *groups, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		group_stats_free(&groups[i]);
	free(groups);
}

/* ---- sums ---- */

int group_call_merge(struct group_call *dst, const struct group_call *src)
{
	int err = 0;

	figures_add(SCOPE_GROUP, dst, src);
	dst->transfers |= src->transfers;
	for (size_t i = 0; i < src->nr_errnos && !err; i++)
		err = errno_counts_add(&dst->errnos, &dst->nr_errnos, src->errnos[i].err,
				       src->errnos[i].count);
	return err;
}

void group_stats_sum(struct group_call *sum, const struct group_stats *g)
{
	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < g->nr_calls; i++) {
		figures_add(SCOPE_GROUP, sum, &g->calls[i]);
		sum->transfers |= g->calls[i].transfers;
	}
}

int syscall_stats_add_group(struct syscall_stats *s, const struct group_call *c)
{
	bool timed = s->timed;
	int err = 0;

	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		const struct figure *f = &figures[id];
		uint64_t *sum = figure_counter(f, SCOPE_SYSCALL, s);
		uint64_t value = *figure_counter(f, SCOPE_GROUP, (void *)c);

		if (!figure_is_counter(f, SCOPE_GROUP))
			continue;
		if (f->combine == COMBINE_SUM)
			*sum += value;
		else if (c->timed && f->combine == COMBINE_MIN)
			*sum = timed && *sum < value ? *sum : value;
		else if (c->timed && f->combine == COMBINE_MAX)
			*sum = *sum > value ? *sum : value;
	}
	histogram_merge(s->sizes, c->sizes, SIZE_BUCKETS);
	for (size_t i = 0; i < c->nr_errnos && !err; i++)
		err = syscall_stats_add_errno(s, c->errnos[i].err, c->errnos[i].count);
	return err;
}
