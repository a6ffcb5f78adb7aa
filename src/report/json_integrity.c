// SPDX-License-Identifier: GPL-2.0
/* Whether every call is accounted for, and the calls that had not returned. */
#include <errno.h>
#include <stdlib.h>

#include "model/tallies.h"
#include "report/json_members.h"
#include "report/json_sections.h"

/* ---- writing ---- */

void json_put_integrity(struct json_object *o, const struct profile *p)
{
	struct json_object part = json_object_new();

	for (size_t i = 0; i < NR_TALLIES; i++)
		json_put_number(&part, tallies[i].key, tally_known(&tallies[i], p),
				tally_value(&tallies[i], p));
	json_put_object(o, "integrity", true, &part);
}

void json_put_inflight(struct json_object *o, const struct profile *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nr_inflight; i++) {
		const struct inflight_call *c = &p->inflight[i];
		struct json_object call = json_object_new();

		json_put_call(&call, "syscall", c->name, c->abi, c->nr);
		json_put_number(&call, "pid", c->pid, (uint64_t)c->pid);
		json_put_number(&call, "tid", c->pid, (uint64_t)c->tid);
		json_put_text(&call, "comm", c->pid ? c->comm : NULL);
		json_put(&call, "before", json_boolean(c->before));
		json_put_number(&call, "since_ns", c->since_ns, c->since_ns);
		json_append(list, &call, &o->err);
	}
	json_put(o, "inflight", list);
}

/* ---- reading ---- */

void json_read_integrity(struct profile *p, uint64_t calls, const struct json_node *root)
{
	struct json_node n = json_member(root, "integrity");

	for (size_t i = 0; i < NR_TALLIES; i++) {
		const struct tally *t = &tallies[i];

		*tally_of(t, p) = t->added ? json_member_if_there(&n, t->key)
					   : json_member_known(&n, t->key, tally_known(t, p));
	}
	if (p->returned != calls && !root->reader->part)
		json_fail(&n, -EINVAL, "returned must be the sum of all calls");
}

static void read_inflight_call(struct inflight_call *c, const struct json_node *n)
{
	struct json_node pid = json_member(n, "pid");

	json_member_text_into(n, "syscall", c->name, sizeof(c->name));
	c->abi = json_member_abi(n);
	c->nr = json_member_int(n, "nr");
	if (!json_is_none(&pid)) {
		c->pid = json_member_int(n, "pid");
		c->tid = json_member_int(n, "tid");
		json_member_text_into(n, "comm", c->comm, sizeof(c->comm));
	}
	c->before = json_member_bool(n, "before");
	c->since_ns = json_member_if_known(n, "since_ns");
}

void json_read_inflight(struct profile *p, const struct json_node *root)
{
	struct json_node list = json_member(root, "inflight");
	size_t nr = json_list_size(&list);

	if (!nr)
		return;
	p->inflight = calloc(nr, sizeof(*p->inflight));
	if (!p->inflight) {
		json_fail(&list, -ENOMEM, "no memory");
		return;
	}
	p->nr_inflight = nr;
	json_for_each (call, &list)
		read_inflight_call(&p->inflight[call.index], &call);
}
