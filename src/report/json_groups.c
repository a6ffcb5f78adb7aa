// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "model/profile_groups.h"
#include "report/json_figures.h"
#include "report/json_file.h"
#include "report/json_members.h"
#include "report/json_sections.h"

/* ---- writing ---- */

/* Puts the keys of --by: ["process", "thread"]. */
static void put_keys(struct json_object *o, const unsigned by[MAX_GROUP_KEYS])
{
	const char *words[MAX_GROUP_KEYS + 1] = { NULL };

	for (size_t i = 0; i < MAX_GROUP_KEYS && by[i]; i++)
		words[i] = group_key(by[i])->name;
	json_put_words(o, "by", (char *const *)words);
}

static bool has_key(const struct profile *p, unsigned bits)
{
	return (p->by[0] | p->by[1]) & bits;
}

static void put_identity(struct json_object *o, const struct group_stats *g,
			 const struct profile *p)
{
	bool other = g->id == GROUP_OTHER;
	bool process = !other && has_key(p, BY_PROCESS | BY_THREAD);
	char buf[GROUP_NAME_SIZE];

	put_keys(o, p->by);
	json_put_number(o, "id", true, g->id);
	json_put_number(o, "parent", g->parent, g->parent);
	json_put_text(o, "name", group_name(buf, g, p->by[1] ? p->by[1] : p->by[0]));
	json_put_text(o, "comm", !other && has_key(p, BY_COMM | BY_THREAD) ? g->comm : NULL);
	json_put_text(o, "process", process ? g->process : NULL);
	json_put_number(o, "pid", g->pid, (uint64_t)g->pid);
	json_put_number(o, "tid", g->tid, (uint64_t)g->tid);
	json_put_number(o, "uid", g->uid >= 0, (uint64_t)g->uid);
	json_put_text(o, "user", g->user);
	json_put_text(o, "cgroup", g->cgroup);
	json_put_text(o, "exe", g->exe);
}

static void put_figures(struct json_object *o, const struct group_call *c, unsigned unknown)
{
	json_put(o, "transfers", json_boolean(c->transfers));
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figures[id].scope & SCOPE_GROUP)
			json_put_figure(o, id, SCOPE_GROUP, c, c->transfers, unknown);
}

static void put_calls(struct json_object *o, const struct group_stats *g, unsigned unknown)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->nr_calls; i++) {
		const struct group_call *c = &g->calls[i];
		struct json_object row = json_object_new();

		json_put_call(&row, "name", c->name, c->abi, c->nr);
		put_figures(&row, c, unknown);
		json_put_errnos(&row, c->errnos, c->nr_errnos);
		for (enum histogram_id id = 0; id < NR_HISTOGRAMS; id++)
			if (figure_histograms[id].scope & SCOPE_GROUP)
				json_put_figure_histogram(&row, id, SCOPE_GROUP, c, c->transfers,
							  unknown);
		json_append(list, &row, &o->err);
	}
	json_put(o, "syscalls", list);
}

int json_each_group(const void *result, int (*hand)(void *to, struct json_object *row), void *to)
{
	const struct profile *p = ((const struct result *)result)->profile;
	int err = 0;

	for (size_t i = 0; i < p->nr_groups && !err; i++) {
		struct json_object row = json_object_new();
		struct group_call sum;

		group_stats_sum(&sum, &p->groups[i]);
		put_identity(&row, &p->groups[i], p);
		put_figures(&row, &sum, p->unknown);
		json_put_rates(&row, SCOPE_GROUP, &sum, sum.transfers, p);
		put_calls(&row, &p->groups[i], p->unknown);
		err = hand(to, &row);
		json_decref(row.json);
	}
	return err;
}

void json_put_groups(struct json_object *o, const struct profile *p)
{
	json_put(o, "groups", p->by[0] ? json_array() : json_null());
}

/* ---- reading ---- */

static unsigned read_key(const struct json_node *n)
{
	const char *name = json_word(n);

	for (size_t i = 0; name && i < NR_GROUP_KEYS; i++)
		if (!strcmp(group_keys[i].name, name))
			return group_keys[i].bit;
	if (name)
		json_fail(n, -EINVAL, "is nothing that groups are told apart by");
	return 0;
}

/* Reads the keys, which all groups have in common. */
static void read_keys(struct profile *p, const struct json_node *row)
{
	struct json_node list = json_member(row, "by");
	unsigned by[MAX_GROUP_KEYS] = { 0 };
	size_t nr = json_list_size(&list);

	if (!nr || nr > MAX_GROUP_KEYS) {
		json_fail(&list, -EINVAL, "must have one or two keys");
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		struct json_node n = json_element(&list, i);

		by[i] = read_key(&n);
	}
	if (by[0] == by[1] || (p->by[0] && memcmp(by, p->by, sizeof(by)) != 0))
		json_fail(&list, -EINVAL, "must be two different keys, the same of all groups");
	memcpy(p->by, by, sizeof(by));
}

static void read_name(char name[16], const struct json_node *row, const char *key)
{
	struct json_node n = json_member(row, key);

	if (!json_is_none(&n))
		json_member_text_into(row, key, name, 16);
}

static pid_t read_pid(const struct json_node *row, const char *key)
{
	struct json_node n = json_member(row, key);

	return json_is_none(&n) ? 0 : (pid_t)json_number_within(&n, 1, INT_MAX);
}

static void read_identity(struct group_stats *g, const struct json_node *row)
{
	struct json_node uid = json_member(row, "uid"), parent = json_member(row, "parent");

	if (!json_is_none(&parent))
		g->parent = (uint32_t)json_number_within(&parent, GROUP_FIRST, UINT32_MAX);
	read_name(g->comm, row, "comm");
	read_name(g->process, row, "process");
	g->pid = read_pid(row, "pid");
	g->tid = read_pid(row, "tid");
	if (!json_is_none(&uid))
		g->uid = (long long)json_number_within(&uid, 0, UINT32_MAX);
	g->user = json_member_text(row, "user");
	g->cgroup = json_member_text(row, "cgroup");
	g->exe = json_member_text(row, "exe");
}

static void read_calls(struct group_stats *g, const struct json_node *row, unsigned unknown)
{
	struct json_node list = json_member(row, "syscalls");

	json_for_each (n, &list) {
		enum iotrace_abi abi = json_member_abi(&n);
		int number = json_member_int(&n, "nr");
		struct group_call *c;

		if (list.reader->err)
			return;
		c = group_stats_call(g, abi, number);
		if (!c || g->nr_calls != n.index + 1) {
			json_fail(&n, c ? -EINVAL : -ENOMEM,
				  c ? "is in the list twice" : "no memory");
			return;
		}
		json_member_text_into(&n, "name", c->name, sizeof(c->name));
		c->transfers = json_member_bool(&n, "transfers");
		json_read_figures(&n, SCOPE_GROUP, c, c->transfers, unknown);
		json_read_errnos(&c->errnos, &c->nr_errnos, c->errors, &n);
	}
	if (!g->nr_calls)
		json_fail(&list, -EINVAL, "must not be empty");
}

static void read_group(struct profile *p, const struct json_node *row)
{
	struct json_node number = json_member(row, "id");
	uint32_t id = (uint32_t)json_number_within(&number, GROUP_OTHER, UINT32_MAX);
	size_t nr = p->nr_groups;
	struct group_stats *g;

	if (row->reader->err)
		return;
	g = profile_group(p, id);
	if (!g || p->nr_groups != nr + 1) {
		json_fail(row, g ? -EINVAL : -ENOMEM, g ? "is in the list twice" : "no memory");
		return;
	}
	read_keys(p, row);
	read_identity(g, row);
	read_calls(g, row, p->unknown);
}

void json_read_groups(struct profile *p, const struct json_node *root)
{
	struct json_node list, row;
	struct json_rows rows;

	list = json_optional(root, LONG_LIST_GROUPS);
	if (json_is_none(&list))
		return;
	json_rows_begin(&rows, &list);
	while (json_rows_next(&rows, &row))
		read_group(p, &row);
	if (!root->reader->err && !root->reader->part && p->nr_groups && profile_check_groups(p))
		json_fail(&list, -EINVAL, "do not add up to the figures of the syscalls");
}
