// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "report/json_members.h"
#include "report/json_sections.h"

/* ---- writing ---- */

static void put_calibrated_call(struct json_object *o, const char *key,
				const struct calibrated_call *c)
{
	struct json_object call = json_object_new();

	json_put_number(&call, "bare_ps", true, c->bare_ps);
	json_put_number(&call, "traced_ps", true, c->traced_ps);
	json_put_number(&call, "inside_ps", true, c->inside_ps);
	json_put_object(o, key, c->bare_ps, &call);
}

void json_put_calibration(struct json_object *o, const struct calibration *c)
{
	struct json_object calibration = json_object_new();
	json_t *copies = json_array();

	for (int i = 0; i < CALIBRATED_COPIES && c->copies[i].bytes; i++) {
		struct json_object copy = json_object_new();

		json_put_number(&copy, "bytes", true, c->copies[i].bytes);
		json_put_number(&copy, "bare_ps", true, c->copies[i].bare_ps);
		json_append(copies, &copy, &o->err);
	}
	put_calibrated_call(&calibration, "device", &c->device);
	put_calibrated_call(&calibration, "memory", &c->memory);
	json_put(&calibration, "copies", copies);
	json_put_number(&calibration, "process_ps", c->process_ps, c->process_ps);
	json_put_object(o, "calibration", calibration_measured(c), &calibration);
}

void json_put_busy(struct json_object *o, const struct busy *busy)
{
	struct json_object part = json_object_new();

	json_put_number(&part, "user_ns", true, busy->user_ns);
	json_put_number(&part, "system_ns", true, busy->system_ns);
	json_put_number(&part, "run_ns", true, busy->run_ns);
	json_put_number(&part, "run_calls", true, busy->run_calls);
	json_put_number(&part, "slack_ns", true, busy->slack_ns);
	json_put_number(&part, "others_ns", true, busy->others_ns);
	json_put_number(&part, "sleeps", true, busy->sleeps);
	json_put_object(o, "busy", busy_known(busy), &part);
}

/* ---- reading ---- */

/* Reads a time, which is never 0, and short enough for arithmetic. */
static uint64_t read_ps(const struct json_node *n, const char *key)
{
	const uint64_t one_second_ps = 1000000000000;
	struct json_node member = json_member(n, key);

	return json_number_within(&member, 1, one_second_ps);
}

static void read_call(struct calibrated_call *c, const struct json_node *n, const char *key)
{
	struct json_node member = json_member(n, key);

	if (json_is_none(&member))
		return;
	c->bare_ps = read_ps(&member, "bare_ps");
	c->traced_ps = read_ps(&member, "traced_ps");
	c->inside_ps = read_ps(&member, "inside_ps");
}

static void read_copies(struct calibration *c, const struct json_node *n)
{
	struct json_node list = json_member(n, "copies");

	if (json_list_size(&list) > CALIBRATED_COPIES)
		json_fail(&list, -EINVAL, "has more than %d elements", CALIBRATED_COPIES);
	json_for_each (copy, &list) {
		struct json_node bytes = json_member(&copy, "bytes");

		c->copies[copy.index].bytes = json_number_within(&bytes, 1, 1 << 30);
		c->copies[copy.index].bare_ps = read_ps(&copy, "bare_ps");
	}
}

void json_read_calibration(struct calibration *c, const struct json_node *root)
{
	struct json_node n = json_optional(root, "calibration"), process;

	memset(c, 0, sizeof(*c));
	if (json_is_none(&n))
		return;
	read_call(&c->device, &n, "device");
	read_call(&c->memory, &n, "memory");
	read_copies(c, &n);
	process = json_optional(&n, "process_ps");
	c->process_ps = json_is_none(&process) ? 0 : read_ps(&n, "process_ps");
}

void json_read_busy(struct busy *busy, const struct json_node *n)
{
	struct json_node part = json_optional(n, "busy");

	if (json_is_none(&part))
		return;
	busy->user_ns = json_member_number(&part, "user_ns");
	busy->system_ns = json_member_number(&part, "system_ns");
	busy->run_ns = json_member_number(&part, "run_ns");
	busy->run_calls = json_member_number(&part, "run_calls");
	busy->slack_ns = json_member_if_there(&part, "slack_ns");
	busy->others_ns = json_member_if_there(&part, "others_ns");
	busy->sleeps = json_member_if_there(&part, "sleeps");
}
