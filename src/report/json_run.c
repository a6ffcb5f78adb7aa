// SPDX-License-Identifier: GPL-2.0
/* What was run, when, and on what machine. */
#include <errno.h>
#include <string.h>

#include "report/json_members.h"
#include "report/json_sections.h"

void json_put_run(struct json_object *o, const struct provenance *v)
{
	struct json_object cpu = json_object_new(), out = json_object_new();

	json_put_words(o, "command", v->command);
	json_put_text(o, "target", v->target);
	json_put_words(o, "options", v->options);
	json_put_text(o, "start", v->start);
	json_put(o, "exit", json_of_exit(v->status));
	json_put_number(o, "wall_ns", v->wall_ns, v->wall_ns);
	json_put_text(o, "kernel", v->kernel);
	json_put_text(o, "machine", v->machine);
	json_put_text(&cpu, "model", v->cpu_model);
	json_put_number(&cpu, "count", v->cpus, v->cpus);
	json_put_object(o, "cpu", true, &cpu);
	json_put_text(&out, "path", v->stdout_path);
	json_put_text(&out, "kind", v->stdout_kind);
	json_put_text(&out, "fstype", v->stdout_fstype);
	json_put_object(o, "stdout", true, &out);
}

/* Reads a time like "2025-01-31T23:59:59.123456789Z". */
static char *read_start(const struct json_node *root)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:dd.dddddddddZ";
	struct json_node n = json_member(root, "start");
	const char *text = json_is_none(&n) ? NULL : json_word(&n);
	char *copy;

	if (!text)
		return NULL;
	for (size_t i = 0; i < sizeof(shape); i++) {
		bool digit = text[i] >= '0' && text[i] <= '9';

		if (shape[i] == 'd' ? digit : text[i] == shape[i])
			continue;
		json_fail(&n, -EINVAL, "must look like 2025-01-31T23:59:59.123456789Z");
		return NULL;
	}
	copy = strdup(text);
	if (!copy)
		json_fail(&n, -ENOMEM, "no memory");
	return copy;
}

void json_read_run(struct provenance *v, const struct json_node *root)
{
	struct json_node cpu, out, end = json_member(root, "exit");

	v->version = json_member_text(root, "iotrace");
	v->command = json_member_words(root, "command");
	if (json_has(root, "target")) /* Older captures lack it. */
		v->target = json_member_text(root, "target");
	v->options = json_member_words(root, "options");
	v->start = read_start(root);
	v->status = json_exit(&end);
	if (json_has(root, "wall_ns")) /* Older captures lack it. */
		v->wall_ns = json_member_if_known(root, "wall_ns");
	v->kernel = json_member_text(root, "kernel");
	v->machine = json_member_text(root, "machine");
	cpu = json_member(root, "cpu");
	v->cpu_model = json_member_text(&cpu, "model");
	v->cpus = json_member_if_known(&cpu, "count");
	out = json_member(root, "stdout");
	v->stdout_path = json_member_text(&out, "path");
	v->stdout_kind = json_member_text(&out, "kind");
	v->stdout_fstype = json_member_text(&out, "fstype");
}
