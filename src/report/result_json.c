// SPDX-License-Identifier: GPL-2.0
#include "report/result_json.h"

#include <errno.h>
#include <string.h>

#include "base/errno_name.h"
#include "model/abi.h"
#include "base/text.h"
#include "model/provenance.h"
#include "model/tallies.h"
#include "report/json_capture.h"
#include "report/json_figures.h"
#include "report/json_sections.h"
#include "report/json_writer.h"
#include "report/sections.h"

#define SHARE_DIGITS 5

static void put_unknown(struct json_object *o, unsigned unknown)
{
	json_t *list = json_array();

	for (size_t i = 0; capture_unknown[i].name; i++) {
		if (unknown & capture_unknown[i].bit &&
		    json_array_append_new(list, json_string(capture_unknown[i].name)) && !o->err)
			o->err = -ENOMEM;
	}
	json_put(o, "unknown", list);
}

/* Always present: a reader needs it to understand the rest. */
static void put_header(struct json_object *o, const struct profile *p, const struct provenance *v)
{
	json_put_number(o, "schema", true, CAPTURE_SCHEMA);
	json_put_text(o, "iotrace", v->version);
	json_put_text(o, "backend", p->backend);
	json_put_text(o, "time_note", p->time_note);
	json_put_number(o, "sample_latency", p->sample_latency > 1, p->sample_latency);
	put_unknown(o, p->unknown);
	json_put_number(o, "elapsed_ns", true, p->elapsed_ns);
	json_put_number(o, "overhead_ps", p->overhead_ps, p->overhead_ps);
	json_put_calibration(o, &p->calibration);
	json_put_busy(o, &p->busy);
}

static void put_run(struct json_object *o, const struct provenance *v)
{
	struct json_object cpu = json_object_new(), out = json_object_new();

	json_put_words(o, "command", v->command);
	json_put_words(o, "options", v->options);
	json_put_text(o, "start", v->start);
	json_put(o, "exit", json_of_exit(v->status, &o->err));
	json_put_number(o, "wall_ns", v->wall_ns, v->wall_ns);
	json_put_text(o, "kernel", v->kernel);
	json_put_text(o, "machine", v->machine);
	json_put_text(&cpu, "model", v->cpu_model);
	json_put_number(&cpu, "count", v->cpus, v->cpus);
	json_put_object(o, "cpu", &cpu);
	json_put_text(&out, "path", v->stdout_path);
	json_put_text(&out, "kind", v->stdout_kind);
	json_put_text(&out, "fstype", v->stdout_fstype);
	json_put_object(o, "stdout", &out);
}

static void put_errnos(struct json_object *o, const struct syscall_stats *s)
{
	json_t *list = json_array();
	char buf[24];

	for (size_t i = 0; i < s->nr_errnos; i++) {
		struct json_object e = json_object_new();

		json_put_text(&e, "errno", format_errno(buf, sizeof(buf), s->errnos[i].err));
		json_put_number(&e, "code", true, (uint64_t)s->errnos[i].err);
		json_put_number(&e, "count", true, s->errnos[i].count);
		json_append(list, &e, &o->err);
	}
	json_put(o, "errnos", list);
}

static void put_summary(struct json_object *o, const struct syscall_stats *s, unsigned unknown)
{
	json_put(o, "transfers", json_boolean(s->transfers));
	for (int id = 0; id < NR_SYSCALL_FIGURES; id++)
		json_put_figure(o, id, SCOPE_SYSCALL, s, s->transfers, unknown);
}

/* A histogram of ns is of the section of latencies. */
static void put_histograms(struct json_object *o, const struct syscall_stats *s, unsigned unknown,
			   unsigned sections)
{
	for (enum histogram_id id = 0; id < NR_HISTOGRAMS; id++) {
		bool ns = figure_histograms[id].unit == UNIT_NS;

		if (sections & (ns ? SECTION_LATENCY : SECTION_SIZES))
			json_put_figure_histogram(o, id, SCOPE_SYSCALL, s, s->transfers, unknown);
	}
}

static void put_name(struct json_object *o, const char *key, const char *name, enum iotrace_abi abi,
		     int nr)
{
	json_put_text(o, key, name);
	json_put_text(o, "abi", abi_name(abi));
	json_put_number(o, "nr", true, (uint64_t)nr);
}

static void put_syscalls(struct json_object *o, const struct profile *p, unsigned sections)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *s = &p->syscalls[i];
		struct json_object row = { NULL, 0 };

		if (!s->calls)
			continue;
		row.json = json_object();
		put_name(&row, "name", s->name, s->abi, s->nr);
		if (sections & SECTION_SUMMARY)
			put_summary(&row, s, p->unknown);
		if (sections & SECTION_ERRORS)
			put_errnos(&row, s);
		put_histograms(&row, s, p->unknown, sections);
		json_append(list, &row, &o->err);
	}
	json_put(o, "syscalls", list);
}

static void put_integrity(struct json_object *o, const struct profile *p)
{
	struct json_object part = json_object_new();

	for (size_t i = 0; i < NR_TALLIES; i++)
		json_put_number(&part, tallies[i].key, tally_known(&tallies[i], p),
				tally_value(&tallies[i], p));
	json_put_object(o, "integrity", &part);
}

static void put_inflight(struct json_object *o, const struct profile *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nr_inflight; i++) {
		const struct inflight_call *c = &p->inflight[i];
		struct json_object call = json_object_new();

		put_name(&call, "syscall", c->name, c->abi, c->nr);
		json_put_number(&call, "pid", c->pid, (uint64_t)c->pid);
		json_put_number(&call, "tid", c->pid, (uint64_t)c->tid);
		json_put_text(&call, "comm", c->pid ? c->comm : NULL);
		json_put(&call, "before", json_boolean(c->before));
		json_put_number(&call, "since_ns", c->since_ns, c->since_ns);
		json_append(list, &call, &o->err);
	}
	json_put(o, "inflight", list);
}

/* All but the rows of the files. */
static struct json_object most_of_result(const struct result *r, unsigned sections)
{
	const struct profile *p = r->profile;
	const struct provenance *v = profile_provenance(p);
	struct json_object o = json_object_new();

	put_header(&o, p, v);
	if (sections & SECTION_RUN)
		put_run(&o, v);
	if (sections & (SECTION_SUMMARY | SECTION_LATENCY | SECTION_SIZES | SECTION_ERRORS))
		put_syscalls(&o, p, sections);
	if (sections & SECTION_FILES)
		json_put_files(&o, r);
	if (sections & SECTION_FINDINGS)
		json_put_findings(&o, r);
	if (sections & SECTION_INTEGRITY)
		put_integrity(&o, p);
	if (sections & SECTION_INFLIGHT)
		put_inflight(&o, p);
	return o;
}

static int append_row(void *list, struct json_object *row)
{
	int err = 0;

	json_incref(row->json);
	json_append(list, row, &err);
	return err;
}

json_t *json_of_result(const struct result *r, unsigned sections, int *err)
{
	struct json_object o = most_of_result(r, sections);
	json_t *files = json_object_get(o.json, "files");

	*err = o.err;
	if (!*err && json_is_array(files))
		*err = json_each_file_row(r, append_row, files);
	return o.json;
}

int json_print_result(FILE *out, const struct result *r, unsigned sections)
{
	const struct json_printed_list files = { "files", json_each_file_row, r };
	struct json_object o = most_of_result(r, sections);
	int err = o.err;

	if (!err)
		err = json_print_document(out, o.json, SHARE_DIGITS, &files);
	json_decref(o.json);
	return err;
}
