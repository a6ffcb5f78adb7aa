// SPDX-License-Identifier: GPL-2.0
#include "report/json_capture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/tallies.h"
#include "report/json_figures.h"
#include "report/json_file.h"
#include "report/json_members.h"
#include "report/json_reader.h"
#include "report/json_sections.h"

/* An ABI has some 400 calls. */
#define MAX_SYSCALLS 4096

const struct capture_unknown capture_unknown[] = {
	{ "latency", UNKNOWN_LATENCY }, { "bytes", UNKNOWN_BYTES },
	{ "entered", UNKNOWN_ENTERED }, { "users", UNKNOWN_USERS },
	{ "gains", UNKNOWN_GAINS },	{ "waits", UNKNOWN_WAITS },
	{ "cpu", UNKNOWN_CPU },		{ NULL, 0 },
};

/* The sums over all rows; a sum has the limit of a single number. */
struct totals {
	uint64_t calls, total_ns, bytes;
};

/* ---- what was run ---- */

/* "2025-01-31T23:59:59.123456789Z" */
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

static void read_provenance(struct provenance *v, const struct json_node *root)
{
	struct json_node cpu, out, end = json_member(root, "exit");

	v->version = json_member_text(root, "iotrace");
	v->command = json_member_words(root, "command");
	v->options = json_member_words(root, "options");
	v->start = read_start(root);
	v->status = json_exit(&end);
	if (json_has(root, "wall_ns")) /* older captures lack it */
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

/* ---- syscalls ---- */

static void read_errnos(struct syscall_stats *s, const struct json_node *row)
{
	struct json_node list = json_member(row, "errnos");
	uint64_t sum = 0;
	int before = 0;

	for (size_t i = 0, nr = json_list_size(&list); i < nr && !list.reader->err; i++) {
		struct json_node e = json_element(&list, i), code = json_member(&e, "code");
		uint64_t count = json_member_number(&e, "count");
		struct json_node name = json_member(&e, "errno");
		int err = (int)json_number_within(&code, 1, 4095);

		json_word(&name); /* the code says it all */
		if (err <= before)
			json_fail(&code, -EINVAL, "must be more than the one before");
		if (!count || __builtin_add_overflow(sum, count, &sum))
			json_fail(&e, -EINVAL, "its count must be more than 0, and not absurd");
		if (!list.reader->err && syscall_stats_add_errno(s, err, count))
			json_fail(&e, -ENOMEM, "no memory");
		before = err;
	}
	if (sum > s->errors)
		json_fail(&list, -EINVAL, "add up to more than the errors");
}

static void read_row(struct syscall_stats *s, const struct json_node *row, unsigned unknown)
{
	json_member_text_into(row, "name", s->name, sizeof(s->name));
	s->transfers = json_member_bool(row, "transfers");
	json_read_figures(row, SCOPE_SYSCALL, s, s->transfers, unknown);
	read_errnos(s, row);
}

static bool add_within(uint64_t *sum, uint64_t value)
{
	return !__builtin_add_overflow(*sum, value, sum) && *sum <= INT64_MAX;
}

static void read_syscalls(struct profile *p, struct totals *totals, const struct json_node *root)
{
	struct json_node list = json_member(root, "syscalls");
	size_t nr = json_list_size(&list);

	if (nr > MAX_SYSCALLS)
		json_fail(&list, -EINVAL, "there are not more than %d system calls", MAX_SYSCALLS);
	for (size_t i = 0; i < nr && !list.reader->err; i++) {
		struct json_node row = json_element(&list, i);
		enum iotrace_abi abi = json_member_abi(&row);
		int number = json_member_int(&row, "nr");
		struct syscall_stats *s;

		if (list.reader->err)
			return;
		s = profile_syscall(p, abi, number);
		if (!s) {
			json_fail(&row, -ENOMEM, "no memory");
			return;
		}
		if (p->nr_syscalls != i + 1) {
			json_fail(&row, -EINVAL, "is in the list twice");
			return;
		}
		p->unknown |= json_figures_lacking(&row, SCOPE_SYSCALL);
		read_row(s, &row, p->unknown);
		if (!add_within(&totals->calls, s->calls) ||
		    !add_within(&totals->total_ns, s->total_ns) ||
		    !add_within(&totals->bytes, s->bytes))
			json_fail(&row, -EINVAL, "the figures add up to more than 63 bits hold");
	}
}

/* ---- integrity ---- */

static void read_integrity(struct profile *p, const struct totals *totals,
			   const struct json_node *root)
{
	struct json_node n = json_member(root, "integrity");

	for (size_t i = 0; i < NR_TALLIES; i++) {
		const struct tally *t = &tallies[i];

		*tally_of(t, p) = t->added ? json_member_if_there(&n, t->key)
					   : json_member_known(&n, t->key, tally_known(t, p));
	}
	if (p->returned != totals->calls)
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

static void read_inflight(struct profile *p, const struct json_node *root)
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
	for (size_t i = 0; i < nr && !list.reader->err; i++) {
		struct json_node call = json_element(&list, i);

		read_inflight_call(&p->inflight[i], &call);
	}
}

/* ---- the document ---- */

static unsigned read_unknown(const struct json_node *root)
{
	struct json_node list = json_member(root, "unknown");
	unsigned unknown = 0;

	for (size_t i = 0, nr = json_list_size(&list); i < nr; i++) {
		struct json_node n = json_element(&list, i);
		const char *word = json_word(&n);
		size_t k = 0;

		while (word && capture_unknown[k].name && strcmp(word, capture_unknown[k].name))
			k++;
		if (word && !capture_unknown[k].name)
			json_fail(&n, -EINVAL, "is nothing that can be unknown");
		unknown |= capture_unknown[k].bit;
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
	struct totals totals = { 0 };

	read_schema(root);
	c->backend = json_member_text(root, "backend");
	p->backend = c->backend ? c->backend : "";
	p->time_note = c->time_note = json_member_text(root, "time_note");
	if (json_has(root, "sample_latency")) /* older captures lack it */
		p->sample_latency = json_member_if_known(root, "sample_latency");
	p->unknown = read_unknown(root);
	p->elapsed_ns = json_member_number(root, "elapsed_ns");
	p->overhead_ps = json_member_if_known(root, "overhead_ps");
	json_read_calibration(&p->calibration, root);
	json_read_busy(&p->busy, root);
	read_provenance(&c->provenance, root);
	read_syscalls(p, &totals, root);
	json_read_files(p, root);
	read_integrity(p, &totals, root);
	read_inflight(p, root);
	p->provenance = &c->provenance;
}

void capture_read_node(struct capture *c, const struct json_node *n)
{
	memset(c, 0, sizeof(*c));
	c->provenance.status = -1;
	read_document(c, n);
}

static int read_json(struct capture *c, const struct json_file *file, char *err, size_t err_size)
{
	struct json_reader reader = { .file = file };
	struct json_node root = json_root(&reader, file->json);

	capture_read_node(c, &root);
	return json_reader_result(&reader, err, err_size);
}

int capture_parse(struct capture *c, const char *text, size_t len, char *err, size_t err_size)
{
	struct json_file file;
	int result = json_file_parse(&file, text, len, err, err_size);

	memset(c, 0, sizeof(*c));
	if (!result)
		result = read_json(c, &file, err, err_size);
	json_file_close(&file);
	return result;
}

int capture_read(struct capture *c, const char *path, char *err, size_t err_size)
{
	struct json_file file;
	int result = json_file_read(&file, path, err, err_size);

	memset(c, 0, sizeof(*c));
	if (!result)
		result = read_json(c, &file, err, err_size);
	json_file_close(&file);
	return result;
}

void capture_free(struct capture *c)
{
	profile_free(&c->profile);
	provenance_free(&c->provenance);
	free(c->backend);
	free(c->time_note);
	c->backend = c->time_note = NULL;
}
