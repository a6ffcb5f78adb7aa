// SPDX-License-Identifier: GPL-2.0
/*
 * Where calls come from: the frames and stacks of a run, which the rows of files refer to by index,
 * and the places of a finding, which follow from them and are not read back.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/code.h"
#include "report/json_members.h"
#include "report/json_sections.h"

/* ---- writing ---- */

void json_put_frame(struct json_object *o, const struct code_frame *f)
{
	json_put_text(o, "function", f->function);
	json_put_text(o, "file", f->file);
	json_put_number(o, "line", f->line, f->line);
	json_put_text(o, "object", f->object);
	json_put_text(o, "build_id", f->build_id);
	json_put_number(o, "offset", true, f->offset & INT64_MAX);
	json_put(o, "inlined", json_boolean(f->inlined));
	json_put_text(o, "package", f->package);
}

static void put_frames(struct json_object *o, const struct stacks *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->nr_frames; i++) {
		struct json_object frame = json_object_new();

		json_put_frame(&frame, &s->frames[i]);
		json_append(list, &frame, &o->err);
	}
	json_put(o, "frames", list);
}

static json_t *indices(const struct call_stack *stack, int *err)
{
	json_t *list = json_array();

	for (size_t i = 0; i < stack->nr; i++)
		if (json_array_append_new(list, json_integer((json_int_t)stack->frames[i])))
			*err = -ENOMEM;
	return list;
}

static void put_stacks(struct json_object *o, const struct stacks *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->nr_stacks; i++) {
		struct json_object stack = json_object_new();

		json_put(&stack, "frames", indices(&s->stacks[i], &stack.err));
		json_put(&stack, "cut", json_boolean(s->stacks[i].cut));
		json_append(list, &stack, &o->err);
	}
	json_put(o, "stacks", list);
}

static void put_site(struct json_object *site, const struct site *s)
{
	json_put_number(site, "stack", true, s->stack);
	json_put_number(site, "samples", true, s->samples);
	json_put_number(site, "calls", true, (uint64_t)llround(s->calls));
	json_put_number(site, "ns", true, (uint64_t)llround(s->ns));
	json_put_number(site, "bytes", true, (uint64_t)llround(s->bytes));
	json_put_number(site, "calls_error", true, (uint64_t)llround(sqrt(s->calls_variance)));
	json_put_number(site, "ns_error", true, (uint64_t)llround(sqrt(s->ns_variance)));
}

/* Puts the sites of calls without a file. */
static void put_fileless(struct json_object *o, const struct profile *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->stacks.nr_sites; i++) {
		const struct site *s = &p->stacks.sites[i];
		const struct syscall_stats *call = profile_find_syscall(p, s->abi, s->nr);
		struct json_object site = json_object_new();

		json_put_call(&site, "syscall", call ? call->name : NULL, s->abi, s->nr);
		put_site(&site, s);
		json_append(list, &site, &o->err);
	}
	json_put(o, "sites", list);
}

void json_put_stacks(struct json_object *o, const struct profile *p)
{
	const struct stacks *s = &p->stacks;
	struct json_object part = json_object_new();

	json_put_number(&part, "samples", true, s->samples);
	json_put_number(&part, "lost", true, s->lost);
	put_frames(&part, s);
	put_stacks(&part, s);
	put_fileless(&part, p);
	json_put_object(o, "stacks", s->samples, &part);
}

void json_put_sites(struct json_object *o, const struct file_stats *f, const struct file_call *c)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->nr_sites; i++) {
		const struct site *s = &f->sites[i];
		struct json_object site = json_object_new();

		if (s->abi == c->abi && s->nr == c->nr) {
			put_site(&site, s);
			json_append(list, &site, &o->err);
		} else {
			json_decref(site.json);
		}
	}
	json_put(o, "sites", list);
}

static void put_group(struct json_object *o, const struct stacks *s, const struct site_group *g)
{
	json_t *list = json_array();

	json_put_number(o, "calls", true, (uint64_t)llround(g->calls));
	json_put_number(o, "ns", true, (uint64_t)llround(g->ns));
	json_put_number(o, "bytes", true, (uint64_t)llround(g->bytes));
	json_put_real(o, "share", g->share);
	json_put_real(o, "share_error", g->share_error);
	json_put_number(o, "samples", true, g->samples);
	for (size_t i = 0; i < g->nr; i++) {
		struct json_object frame = json_object_new();

		json_put_frame(&frame, &s->frames[g->frames[i]]);
		json_append(list, &frame, &o->err);
	}
	json_put(o, "frames", list);
	json_put_text(o, "interpreter", g->interpreter ? g->interpreter->name : NULL);
	json_put(o, "cut", json_boolean(g->cut));
}

void json_put_places(struct json_object *o, const struct stacks *s, const struct site *sites,
		     size_t nr_sites, enum stack_weight weight)
{
	struct site_group *groups;
	size_t nr = site_groups_make(&groups, s, sites, nr_sites, false, weight);
	json_t *list = json_array();

	if (nr == SIZE_MAX) {
		o->err = o->err ? o->err : -ENOMEM;
		nr = 0;
	}
	for (size_t i = 0; i < nr; i++) {
		struct json_object place = json_object_new();

		put_group(&place, s, &groups[i]);
		json_append(list, &place, &o->err);
	}
	site_groups_free(groups, nr);
	json_put_text(o, "share_of", weight == WEIGHT_TIME ? "time" : "calls");
	json_put(o, "sites", list);
}

/* ---- reading ---- */

static void read_frame(struct stacks *s, const struct json_node *n)
{
	struct code_frame *f = array_append(&s->frames, &s->nr_frames, sizeof(*f));
	struct json_node line = json_member(n, "line"), package;

	if (!f) {
		json_fail(n, -ENOMEM, "no memory");
		return;
	}
	f->function = json_member_text(n, "function");
	f->file = json_member_text(n, "file");
	f->line = json_is_none(&line) ? 0 : (unsigned)json_number_within(&line, 1, UINT32_MAX);
	f->object = json_member_text(n, "object");
	f->build_id = json_member_text(n, "build_id");
	f->offset = json_member_number(n, "offset");
	f->inlined = json_member_bool(n, "inlined");
	package = json_optional(n, "package"); /* Older captures do not have it. */
	f->package = json_is_none(&package) ? NULL : json_text(&package);
}

/* Reads the index of one of nr things. */
static size_t read_index(const struct json_node *n, size_t nr)
{
	if (!nr)
		json_fail(n, -EINVAL, "refers to nothing");
	return nr ? (size_t)json_number_within(n, 0, nr - 1) : 0;
}

static void read_stack(struct stacks *s, const struct json_node *n)
{
	struct call_stack *stack = array_append(&s->stacks, &s->nr_stacks, sizeof(*stack));
	struct json_node list = json_member(n, "frames");

	if (!stack) {
		json_fail(n, -ENOMEM, "no memory");
		return;
	}
	stack->cut = json_member_bool(n, "cut");
	json_for_each (index, &list) {
		size_t *frame = array_append(&stack->frames, &stack->nr, sizeof(*frame));

		if (!frame)
			json_fail(&index, -ENOMEM, "no memory");
		else
			*frame = read_index(&index, s->nr_frames);
	}
}

/* Reads the variance of a number of a site. */
static double read_variance(const struct json_node *n, const char *key, const struct site *site,
			    double number)
{
	struct json_node error = json_optional(n, key);
	double samples = (double)site->samples, e;

	if (!json_is_none(&error)) {
		e = (double)json_number(&error);
		return e * e;
	}
	/* Older captures do not have it: as if all samples stood for as many calls. */
	return samples > 0 && site->calls > samples ? number * number / samples : 0;
}

/* Reads a site, of a syscall that is known. */
static void read_site(struct site *site, const struct json_node *n, const struct stacks *s)
{
	struct json_node stack = json_member(n, "stack"), bytes;

	site->stack = read_index(&stack, s->nr_stacks);
	site->samples = json_member_number(n, "samples");
	site->calls = (double)json_member_number(n, "calls");
	site->ns = (double)json_member_number(n, "ns");
	bytes = json_optional(n, "bytes"); /* Older captures do not have it. */
	site->bytes = json_is_none(&bytes) ? 0 : (double)json_number(&bytes);
	site->calls_variance = read_variance(n, "calls_error", site, site->calls);
	site->ns_variance = read_variance(n, "ns_error", site, site->ns);
}

/* Reads the sites of calls without a file, which older captures do not have. */
static void read_fileless(struct profile *p, const struct json_node *part)
{
	struct json_node list = json_optional(part, "sites");

	if (json_is_none(&list))
		return;
	json_for_each (n, &list) {
		struct site site = { .abi = json_member_abi(&n) };

		site.nr = json_member_int(&n, "nr");
		read_site(&site, &n, &p->stacks);
		if (!n.reader->err && !profile_find_syscall(p, site.abi, site.nr))
			json_fail(&n, -EINVAL, "is of a syscall without calls");
		if (!n.reader->err && sites_add(&p->stacks.sites, &p->stacks.nr_sites, &site))
			json_fail(&n, -ENOMEM, "no memory");
	}
}

void json_read_stacks(struct profile *p, const struct json_node *root)
{
	struct json_node part = json_optional(root, "stacks"), list;

	if (json_is_none(&part))
		return;
	p->stacks.samples = json_member_number(&part, "samples");
	p->stacks.lost = json_member_number(&part, "lost");
	list = json_member(&part, "frames");
	json_for_each (n, &list)
		read_frame(&p->stacks, &n);
	list = json_member(&part, "stacks");
	json_for_each (n, &list)
		read_stack(&p->stacks, &n);
	read_fileless(p, &part);
}

void json_read_sites(struct file_stats *f, const struct json_node *row, const struct file_call *c,
		     const struct stacks *s)
{
	struct json_node list = json_optional(row, "sites");

	if (json_is_none(&list))
		return;
	json_for_each (n, &list) {
		struct site site = { .abi = c->abi, .nr = c->nr };

		read_site(&site, &n, s);
		if (!n.reader->err && sites_add(&f->sites, &f->nr_sites, &site))
			json_fail(&n, -ENOMEM, "no memory");
	}
}
