// SPDX-License-Identifier: GPL-2.0
#include "report/json_capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/json_file.h"
#include "report/json_intervals.h"
#include "report/json_members.h"
#include "report/json_sections.h"
#include "report/sections.h"

/* The words of "unknown". The last name is NULL. */
/* clang-format off */
static const struct {
	const char *name;
	unsigned bit; /* A bit of enum profile_unknown. */
} unknown_words[] = {
	{ "latency", UNKNOWN_LATENCY },
	{ "bytes", UNKNOWN_BYTES },
	{ "entered", UNKNOWN_ENTERED },
	{ "users", UNKNOWN_USERS },
	{ "gains", UNKNOWN_GAINS },
	{ "waits", UNKNOWN_WAITS },
	{ "idle", UNKNOWN_IDLE },
	{ "nagle", UNKNOWN_NAGLE },
	{ "cpu", UNKNOWN_CPU },
	{ "reads", UNKNOWN_READS },
	{ "syncs", UNKNOWN_SYNCS },
	{ NULL, 0 },
};
/* clang-format on */

/* ---- writing ---- */

static void put_unknown(struct json_object *o, unsigned unknown)
{
	json_t *list = json_array();

	for (size_t i = 0; unknown_words[i].name; i++) {
		if (unknown & unknown_words[i].bit &&
		    json_array_append_new(list, json_string(unknown_words[i].name)) && !o->err)
			o->err = -ENOMEM;
	}
	json_put(o, "unknown", list);
}

/* Puts what is always present: a reader needs it to understand the rest. */
static void put_header(struct json_object *o, const struct profile *p, const struct provenance *v)
{
	json_put_number(o, "schema", true, CAPTURE_SCHEMA);
	json_put_text(o, "iotrace", v->version);
	json_put_text(o, "backend", p->backend);
	json_put_text(o, "time_note", p->time_note);
	json_put_number(o, "sample_latency", p->sample_latency > 1, p->sample_latency);
	put_unknown(o, p->unknown);
	json_put_number(o, "elapsed_ns", true, p->elapsed_ns);
	if (p->to_ns) {
		json_put_number(o, "from_ns", true, p->from_ns);
		json_put_number(o, "to_ns", true, p->to_ns);
	}
	json_put_number(o, "overhead_ps", p->overhead_ps, p->overhead_ps);
	json_put_calibration(o, &p->calibration);
	json_put_busy(o, &p->busy);
}

/* Makes all but the rows of the groups and files. */
static struct json_object most_of_result(const struct result *r, unsigned sections)
{
	const struct profile *p = r->profile;
	const struct provenance *v = profile_provenance(p);
	struct json_object o = json_object_new();

	put_header(&o, p, v);
	if (sections & SECTION_RUN)
		json_put_run(&o, v);
	if (sections & (SECTION_SUMMARY | SECTION_LATENCY | SECTION_SIZES | SECTION_ERRORS))
		json_put_syscalls(&o, p, sections);
	if (sections & SECTION_SUMMARY)
		json_put_programs(&o, p);
	if (sections & SECTION_GROUPS)
		json_put_groups(&o, p);
	if (sections & SECTION_FILES)
		json_put_stacks(&o, p);
	if (sections & SECTION_FILES)
		json_put_files(&o, r);
	if (sections & SECTION_FILES)
		json_put_processes(&o, p);
	if (sections & SECTION_FINDINGS)
		json_put_findings(&o, r);
	if (sections & SECTION_INTEGRITY)
		json_put_integrity(&o, p);
	if (sections & SECTION_INFLIGHT)
		json_put_inflight(&o, p);
	if (sections & SECTION_INTERVALS)
		json_put_intervals(&o, r);
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
	json_t *groups = json_object_get(o.json, "groups");
	json_t *files = json_object_get(o.json, "files");

	json_t *intervals = json_object_get(o.json, "intervals");
	const struct json_intervals of = { r, sections };

	*err = o.err;
	if (!*err && json_is_array(intervals))
		*err = json_each_interval(&of, append_row, intervals);
	if (!*err && json_is_array(groups))
		*err = json_each_group(r, append_row, groups);
	if (!*err && json_is_array(files))
		*err = json_each_file_row(r, append_row, files);
	return o.json;
}

static int print_result(FILE *out, const struct result *r, unsigned sections,
			enum json_layout layout)
{
	const struct json_intervals of = { r, sections };
	const struct json_printed_list lists[] = {
		{ "groups", json_each_group, r, false },
		{ "files", json_each_file_row, r, false },
		{ "intervals", json_each_interval, &of, true },
		{ NULL, NULL, NULL, false },
	};
	struct json_object o = most_of_result(r, sections);
	int err = o.err;

	if (!err)
		err = json_print_document(out, o.json, SHARE_DIGITS, lists, layout);
	json_decref(o.json);
	return err;
}

int json_print_result(FILE *out, const struct result *r, unsigned sections)
{
	return print_result(out, r, sections, JSON_IN_LINES);
}

int json_print_line(FILE *out, const struct result *r, unsigned sections)
{
	return print_result(out, r, sections, JSON_IN_ONE_LINE);
}

/* ---- reading ---- */

static unsigned read_unknown(const struct json_node *root)
{
	struct json_node list = json_member(root, "unknown");
	unsigned unknown = 0;

	json_for_each (n, &list) {
		const char *word = json_word(&n);
		size_t k = 0;

		while (word && unknown_words[k].name && strcmp(word, unknown_words[k].name))
			k++;
		if (word && !unknown_words[k].name)
			json_fail(&n, -EINVAL, "is nothing that can be unknown");
		unknown |= unknown_words[k].bit;
	}
	return unknown;
}

static void read_schema(const struct json_node *root)
{
	struct json_node n;

	if (json_has(root, "comparison")) {
		json_fail(root, -EINVAL, "this is a comparison: 'iotrace compare' prints it");
		return;
	}
	if (!json_has(root, "schema")) {
		json_fail(root, -EINVAL, "this is JSON, but no capture of iotrace's");
		return;
	}
	n = json_member(root, "schema");
	json_check_version(root, &n, CAPTURE_SCHEMA);
}

static void read_document(struct capture *c, const struct json_node *root)
{
	struct profile *p = &c->profile;
	uint64_t calls;

	read_schema(root);
	c->backend = json_member_text(root, "backend");
	p->backend = c->backend ? c->backend : "";
	p->time_note = c->time_note = json_member_text(root, "time_note");
	if (json_has(root, "sample_latency")) /* Older captures lack it. */
		p->sample_latency = json_member_if_known(root, "sample_latency");
	p->unknown = read_unknown(root);
	p->elapsed_ns = json_member_number(root, "elapsed_ns");
	p->from_ns = json_member_if_there(root, "from_ns");
	p->to_ns = json_member_if_there(root, "to_ns");
	root->reader->part = p->to_ns;
	p->overhead_ps = json_member_if_known(root, "overhead_ps");
	json_read_calibration(&p->calibration, root);
	json_read_busy(&p->busy, root);
	json_read_run(&c->provenance, root);
	calls = json_read_syscalls(p, root);
	json_read_programs(p, calls, root);
	json_read_groups(p, root);
	json_read_stacks(p, root);
	json_read_files(p, root);
	json_read_integrity(p, calls, root);
	json_read_inflight(p, root);
	json_read_processes(p, root);
	json_read_intervals(&c->intervals, p, root);
	p->provenance = &c->provenance;
}

void capture_read_node(struct capture *c, const struct json_node *n)
{
	memset(c, 0, sizeof(*c));
	c->provenance.status = -1;
	read_document(c, n);
}

/* Reads an opened file and closes it. result: 0, or the -errno of opening. */
static int read_file(struct capture *c, struct json_file *file, int result, char *err,
		     size_t err_size)
{
	struct json_reader reader = { .file = file };
	struct json_node root = json_root(&reader, file->json);

	memset(c, 0, sizeof(*c));
	if (!result) {
		capture_read_node(c, &root);
		result = json_reader_result(&reader, err, err_size);
	}
	json_file_close(file);
	return result;
}

int capture_parse(struct capture *c, const char *text, size_t len, char *err, size_t err_size)
{
	struct json_file file;
	int result = json_file_parse(&file, text, len, err, err_size);

	return read_file(c, &file, result, err, err_size);
}

int capture_read(struct capture *c, const char *path, char *err, size_t err_size)
{
	struct json_file file;
	int result = json_file_read(&file, path, err, err_size);

	return read_file(c, &file, result, err, err_size);
}

void capture_free(struct capture *c)
{
	profile_free(&c->profile);
	provenance_free(&c->provenance);
	intervals_free(&c->intervals);
	free(c->backend);
	free(c->time_note);
	c->backend = c->time_note = NULL;
}
