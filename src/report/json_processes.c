// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "report/json_members.h"
#include "report/json_sections.h"

void json_put_processes(struct json_object *o, const struct profile *p)
{
	json_t *list = p->unknown & UNKNOWN_FILES ? json_null() : json_array();

	for (size_t i = 0; i < p->nr_process_groups; i++) {
		const struct process_group *g = &p->process_groups[i];
		struct json_object row = json_object_new();

		json_put_text(&row, "exe", g->exe);
		json_put_text(&row, "parent", g->parent[0] ? g->parent : NULL);
		json_put_text(&row, "language", g->language ? languages[g->language].name : NULL);
		json_put_number(&row, "processes", true, g->nr);
		json_put_number(&row, "lives_ns", true, g->lives_ns);
		json_put_number(&row, "spans_ns", true, g->spans_ns);
		json_put_number(&row, "least_ns", true, g->least_ns);
		json_put_busy(&row, &g->busy);
		json_append(list, &row, &o->err);
	}
	json_put(o, "repeated_processes", list);
}

static void read_group(struct process_group *g, const struct json_node *n)
{
	struct json_node nr = json_member(n, "processes");

	g->exe = json_member_text(n, "exe");
	if (!g->exe)
		json_fail(n, -EINVAL, "has no executable");
	json_member_text_into(n, "parent", g->parent, sizeof(g->parent));
	g->language = json_member_language(n);
	g->nr = json_number_within(&nr, MIN_PROCESSES, INT64_MAX);
	g->lives_ns = json_member_number(n, "lives_ns");
	g->spans_ns = json_member_number(n, "spans_ns");
	g->least_ns = json_member_number(n, "least_ns");
	json_read_busy(&g->busy, n);
}

void json_read_processes(struct profile *p, const struct json_node *root)
{
	struct json_node list = json_optional(root, "repeated_processes");

	if (json_is_none(&list))
		return;
	json_for_each (n, &list) {
		struct process_group *g =
			array_append(&p->process_groups, &p->nr_process_groups, sizeof(*g));

		if (g)
			read_group(g, &n);
		else
			json_fail(&n, -ENOMEM, "there is no memory for it");
	}
}
