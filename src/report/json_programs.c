// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "model/program_calls.h"
#include "report/json_members.h"
#include "report/json_sections.h"

void json_put_programs(struct json_object *o, const struct profile *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nr_program_calls; i++) {
		const struct program_calls *calls = &p->program_calls[i];
		struct json_object row = json_object_new();

		json_put_text(&row, "comm", calls->comm);
		json_put_number(&row, "processes", calls->processes, calls->processes);
		json_put_number(&row, "calls", true, calls->calls);
		json_put_number(&row, "total_ns", !(p->unknown & UNKNOWN_LATENCY), calls->total_ns);
		json_append(list, &row, &o->err);
	}
	json_put(o, "programs", list);
}

void json_read_programs(struct profile *p, uint64_t calls, const struct json_node *root)
{
	struct json_node list = json_optional(root, "programs");

	if (json_is_none(&list))
		return;
	json_for_each (n, &list) {
		struct json_node nr = json_member(&n, "calls");
		struct program_calls row = { 0 };

		json_member_text_into(&n, "comm", row.comm, sizeof(row.comm));
		row.processes = json_member_if_known(&n, "processes");
		row.calls = json_number_within(&nr, 1, calls);
		row.total_ns = json_member_if_known(&n, "total_ns");
		calls -= row.calls < calls ? row.calls : calls;
		if (profile_add_program_calls(p, &row))
			json_fail(&n, -ENOMEM, "there is no memory for it");
	}
	profile_sort_program_calls(p);
}
