// SPDX-License-Identifier: GPL-2.0
/*
 * The whole profile as JSON: what scripts read, and what capture.c reads back. src/report/schema.json describes it; a change
 * that breaks a reader makes a new CAPTURE_SCHEMA. A line for each member, and for each element of its lists.
 */
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/wait.h>

#include "base/errno_name.h"
#include "base/text.h"
#include "model/figures.h"
#include "model/histogram.h"
#include "model/provenance.h"
#include "model/tallies.h"
#include "report/capture.h"
#include "report/render.h"

/* An object under construction; err is the first thing that went wrong. */
struct object {
	json_t *json;
	int err;
};

static void put(struct object *o, const char *key, json_t *value)
{
	if (json_object_set_new(o->json, key, value) && !o->err)
		o->err = -ENOMEM;
}

/* Adds a finished part; takes over its error. */
static void put_object(struct object *o, const char *key, struct object *part)
{
	if (part->err && !o->err)
		o->err = part->err;
	put(o, key, part->json);
}

static void append(json_t *list, struct object *part, int *err)
{
	if (part->err && !*err)
		*err = part->err;
	if (json_array_append_new(list, part->json) && !*err)
		*err = -ENOMEM;
}

/* JSON's integers are 64 bits with a sign to every reader that has more than a double. */
static void put_number(struct object *o, const char *key, bool known, uint64_t value)
{
	if (known && value > INT64_MAX && !o->err)
		o->err = -EOVERFLOW;
	put(o, key, known ? json_integer((json_int_t)value) : json_null());
}

static json_t *json_text(const char *text)
{
	char *escaped = text ? escape_text_dup(text, strlen(text)) : NULL;
	json_t *json = NULL;

	if (!text)
		return json_null();
	if (escaped)
		json = json_string(escaped);
	free(escaped);
	return json;
}

static void put_text(struct object *o, const char *key, const char *text)
{
	put(o, key, json_text(text));
}

static void put_words(struct object *o, const char *key, char *const *words)
{
	json_t *list = words ? json_array() : json_null();

	for (; words && *words; words++) {
		if (json_array_append_new(list, json_text(*words)) && !o->err)
			o->err = -ENOMEM;
	}
	put(o, key, list);
}

static void put_unknown(struct object *o, unsigned unknown)
{
	json_t *list = json_array();

	for (size_t i = 0; capture_unknown[i].name; i++) {
		if (unknown & capture_unknown[i].bit &&
		    json_array_append_new(list, json_string(capture_unknown[i].name)) && !o->err)
			o->err = -ENOMEM;
	}
	put(o, "unknown", list);
}

static void put_exit(struct object *o, int status)
{
	struct object part = { json_object(), 0 };

	if (status == -1) {
		json_decref(part.json);
		put(o, "exit", json_null());
		return;
	}
	put_number(&part, "status", WIFEXITED(status), (uint64_t)WEXITSTATUS(status));
	put_number(&part, "signal", WIFSIGNALED(status), (uint64_t)WTERMSIG(status));
	put_object(o, "exit", &part);
}

/* Always present: a reader needs it to understand the rest. */
static void put_header(struct object *o, const struct profile *p, const struct provenance *v)
{
	put_number(o, "schema", true, CAPTURE_SCHEMA);
	put_text(o, "iotrace", v->version);
	put_text(o, "backend", p->backend);
	put_text(o, "time_note", p->time_note);
	put_unknown(o, p->unknown);
	put_number(o, "elapsed_ns", true, p->elapsed_ns);
	put_number(o, "overhead_ps", p->overhead_ps, p->overhead_ps);
}

static void put_run(struct object *o, const struct provenance *v)
{
	struct object cpu = { json_object(), 0 }, out = { json_object(), 0 };

	put_words(o, "command", v->command);
	put_words(o, "options", v->options);
	put_text(o, "start", v->start);
	put_exit(o, v->status);
	put_text(o, "kernel", v->kernel);
	put_text(o, "machine", v->machine);
	put_text(&cpu, "model", v->cpu_model);
	put_number(&cpu, "count", v->cpus, v->cpus);
	put_object(o, "cpu", &cpu);
	put_text(&out, "path", v->stdout_path);
	put_text(&out, "kind", v->stdout_kind);
	put_text(&out, "fstype", v->stdout_fstype);
	put_object(o, "stdout", &out);
}

static void put_histogram(struct object *o, const char *key, bool known, const uint64_t *counts,
			  const struct histogram_scale *scale, const char *const edges[2])
{
	json_t *list = known ? json_array() : json_null();

	for (uint32_t i = 0; known && i < scale->nr_buckets; i++) {
		struct object bucket = { NULL, 0 };

		if (!counts[i])
			continue;
		bucket.json = json_object();
		put_number(&bucket, edges[0], true, scale->low(i));
		put_number(&bucket, edges[1], i + 1 < scale->nr_buckets, scale->low(i + 1));
		put_number(&bucket, "count", true, counts[i]);
		append(list, &bucket, &o->err);
	}
	put(o, key, list);
}

static void put_errnos(struct object *o, const struct syscall_stats *s)
{
	json_t *list = json_array();
	char buf[24];

	for (size_t i = 0; i < s->nr_errnos; i++) {
		struct object e = { json_object(), 0 };

		put_text(&e, "errno", format_errno(buf, sizeof(buf), s->errnos[i].err));
		put_number(&e, "code", true, (uint64_t)s->errnos[i].err);
		put_number(&e, "count", true, s->errnos[i].count);
		append(list, &e, &o->err);
	}
	put(o, "errnos", list);
}

static void put_summary(struct object *o, const struct syscall_stats *s, unsigned unknown)
{
	put(o, "transfers", json_boolean(s->transfers));
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		put_number(o, figures[id].key, figure_known(id, s, unknown), figure_value(id, s));
}

static void put_name(struct object *o, const char *key, const char *name, enum iotrace_abi abi,
		     int nr)
{
	put_text(o, key, name);
	put_text(o, "abi", abi_name(abi));
	put_number(o, "nr", true, (uint64_t)nr);
}

static void put_syscalls(struct object *o, const struct profile *p, unsigned sections)
{
	static const char *const ns[] = { "low_ns", "high_ns" };
	static const char *const bytes[] = { "low_bytes", "high_bytes" };
	json_t *list = json_array();

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *s = &p->syscalls[i];
		bool timed = figures_known(UNKNOWN_LATENCY, s, p->unknown);
		bool sized = figures_known(UNKNOWN_BYTES, s, p->unknown);
		struct object row = { NULL, 0 };

		if (!s->calls)
			continue;
		row.json = json_object();
		put_name(&row, "name", s->name, s->abi, s->nr);
		if (sections & SECTION_SUMMARY)
			put_summary(&row, s, p->unknown);
		if (sections & SECTION_ERRORS)
			put_errnos(&row, s);
		if (sections & SECTION_LATENCY)
			put_histogram(&row, "latency", timed, s->latency, &latency_scale, ns);
		if (sections & SECTION_SIZES)
			put_histogram(&row, "sizes", sized, s->sizes, &size_scale, bytes);
		append(list, &row, &o->err);
	}
	put(o, "syscalls", list);
}

static void put_integrity(struct object *o, const struct profile *p)
{
	struct object part = { json_object(), 0 };

	for (size_t i = 0; i < NR_TALLIES; i++)
		put_number(&part, tallies[i].key, tally_known(&tallies[i], p),
			   tally_value(&tallies[i], p));
	put_object(o, "integrity", &part);
}

static void put_inflight(struct object *o, const struct profile *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nr_inflight; i++) {
		const struct inflight_call *c = &p->inflight[i];
		struct object call = { json_object(), 0 };

		put_name(&call, "syscall", c->name, c->abi, c->nr);
		put_number(&call, "pid", c->pid, (uint64_t)c->pid);
		put_number(&call, "tid", c->pid, (uint64_t)c->tid);
		put_text(&call, "comm", c->pid ? c->comm : NULL);
		put(&call, "before", json_boolean(c->before));
		put_number(&call, "since_ns", c->since_ns, c->since_ns);
		append(list, &call, &o->err);
	}
	put(o, "inflight", list);
}

static json_t *build(const struct profile *p, unsigned sections, int *err)
{
	const struct provenance *v = profile_provenance(p);
	struct object o = { json_object(), 0 };

	put_header(&o, p, v);
	if (sections & SECTION_RUN)
		put_run(&o, v);
	if (sections & (SECTION_SUMMARY | SECTION_LATENCY | SECTION_SIZES | SECTION_ERRORS))
		put_syscalls(&o, p, sections);
	if (sections & SECTION_FILES)
		put(&o, "files", json_null());
	if (sections & SECTION_FINDINGS)
		put(&o, "findings", json_null());
	if (sections & SECTION_INTEGRITY)
		put_integrity(&o, p);
	if (sections & SECTION_INFLIGHT)
		put_inflight(&o, p);
	*err = o.err;
	return o.json;
}

/* Prints a list of objects with a line for each. */
static void print_member(FILE *out, json_t *value)
{
	const size_t flags = JSON_ENCODE_ANY;
	size_t nr = json_array_size(value);

	if (!json_is_object(json_array_get(value, 0))) {
		json_dumpf(value, out, flags);
		return;
	}
	fputs("[\n", out);
	for (size_t i = 0; i < nr; i++) {
		fputs("  ", out);
		json_dumpf(json_array_get(value, i), out, flags);
		fputs(i + 1 < nr ? ",\n" : "\n ]", out);
	}
}

static int json_render(FILE *out, const struct result *r, const struct render_options *o)
{
	const char *key, *separator = "{\n";
	json_t *json, *value;
	int err;

	json = build(r->profile, render_sections(&render_json, o), &err);
	if (!err) {
		json_object_foreach(json, key, value)
		{
			fprintf(out, "%s \"%s\": ", separator, key);
			print_member(out, value);
			separator = ",\n";
		}
		fputs("\n}\n", out);
	}
	json_decref(json);
	return err;
}

const struct renderer render_json = {
	.name = "json",
	.extensions = { "json" },
	.sections = SECTION_ALL,
	.default_sections = SECTION_ALL,
	.render = json_render,
};
