// SPDX-License-Identifier: GPL-2.0
/* Which group (--by) makes most of the calls that a finding is about. */
#include <errno.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/profile_groups.h"
#include "model/rules/rule.h"

int rule_add_groups(struct finding *f, const struct file_stats *file)
{
	f->made.calls += file->total_calls;
	return file_groups_append(&f->made.groups, &f->made.nr, file->groups, file->nr_groups);
}

static uint64_t calls_of(const struct group_stats *g, const char *syscall)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < g->nr_calls; i++)
		if (!strcmp(g->calls[i].name, syscall))
			calls += g->calls[i].calls;
	return calls;
}

int rule_add_callers(struct finding *f, const struct profile *p)
{
	int err = 0;

	f->made.calls += f->calls;
	for (size_t i = 0; !err && i < p->nr_groups; i++) {
		const struct file_group group = { p->groups[i].id,
						  calls_of(&p->groups[i], f->fix.syscall) };

		if (group.calls)
			err = file_groups_append(&f->made.groups, &f->made.nr, &group, 1);
	}
	return err;
}

int rule_merge_groups(struct finding *f, const struct finding *other)
{
	f->made.calls += other->made.calls;
	return file_groups_append(&f->made.groups, &f->made.nr, other->made.groups, other->made.nr);
}

/*
 * Returns the group that makes more calls than any other one can. NULL: there is none, or it is not
 * known. The list is sorted. Calls that no group of the list has may all be one group's.
 */
static const struct file_group *most_of(const struct calls_by_group *made)
{
	uint64_t known = 0, rest;

	for (size_t i = 0; i < made->nr; i++)
		known += made->groups[i].calls;
	rest = sub_saturated(made->calls, known) + (made->nr > 1 ? made->groups[1].calls : 0);
	if (!made->nr || made->groups[0].id == GROUP_OTHER || made->groups[0].calls <= rest)
		return NULL;
	return &made->groups[0];
}

/* Tells "cc1", "nginx[812]", or of two keys "web, nginx[812]". */
static void add_name(char **text, const struct profile *p, const struct group_stats *group)
{
	char name[GROUP_NAME_SIZE], id[GROUP_ID_SIZE];

	for (size_t i = 0; i < MAX_GROUP_KEYS && p->by[i]; i++) {
		if (i)
			rule_add_text(text, ", ");
		rule_add_escaped(text, group_name(name, group, p->by[i]));
		rule_add_text(text, "%s", group_id(id, group, p->by[i]));
	}
}

/* Where there is one group alone, people know whose the calls are. */
static void name_group(struct finding *f, const struct profile *p)
{
	const struct file_group *most;
	const struct group_stats *group;

	file_groups_sort(f->made.groups, &f->made.nr);
	most = most_of(&f->made);
	group = most ? profile_find_group(p, most->id) : NULL;
	if (!group)
		return;
	f->group = *most;
	if (p->nr_groups == 1)
		return;
	rule_add_text(&f->evidence, "; ");
	add_name(&f->evidence, p, group);
	rule_add_text(&f->evidence, " makes ");
	if (most->calls < f->made.calls)
		rule_add_text(&f->evidence, "%s of the ", COUNT(most->calls));
	else
		rule_add_text(&f->evidence, "all ");
	rule_add_text(&f->evidence, "%s calls%s", COUNT(f->made.calls),
		      f->fix.syscall ? "" : " there");
}

void rule_name_groups(struct findings *f, const struct profile *p)
{
	for (size_t i = 0; p->by[0] && i < f->nr; i++)
		name_group(&f->list[i], p);
}
