// SPDX-License-Identifier: GPL-2.0
/* Findings are not read back: they follow from the files. */
#include "model/profile_groups.h"
#include "report/json_sections.h"

static void put_range(struct json_object *o, const char *key, bool known, const struct range *r,
		      bool whole)
{
	struct json_object range = json_object_new();

	if (whole) {
		json_put_number(&range, "low", true, (uint64_t)r->low);
		json_put_number(&range, "high", true, (uint64_t)r->high);
	} else {
		json_put_real(&range, "low", r->low);
		json_put_real(&range, "high", r->high);
	}
	json_put_object(o, key, known, &range);
}

/* Puts our own words, in which text from elsewhere is escaped already. */
static void put_sentence(struct json_object *o, const char *key, const char *text)
{
	json_put(o, key, text ? json_string(text) : json_null());
}

/* Puts the group (--by) that makes most of the calls, and of how many. */
static void put_group(struct json_object *o, const struct finding *f, const struct profile *p)
{
	struct json_object group = json_object_new();
	char buf[GROUP_NAME_SIZE];
	const struct group_stats *most = f->group.id ? profile_find_group(p, f->group.id) : NULL;

	json_put_number(&group, "id", true, f->group.id);
	json_put_text(&group, "name",
		      most ? group_name(buf, most, p->by[1] ? p->by[1] : p->by[0]) : NULL);
	json_put_number(&group, "calls", true, f->group.calls);
	json_put_number(&group, "of", true, f->made.calls);
	json_put_object(o, "group", most, &group);
}

/* Puts what is done again and again, and how often. */
static void put_each(struct json_object *o, const struct finding *f)
{
	struct json_object each = json_object_new();

	json_put_text(&each, "what", finding_each(f));
	json_put_number(&each, "count", true, finding_each_count(f));
	json_put_object(o, "predicted_each", f->gain.known, &each);
}

static void put_finding(struct json_object *o, const struct finding *f, const struct profile *p,
			bool waits_known)
{
	json_put_text(o, "id", f->id);
	json_put_text(o, "severity", severity_name(f->severity));
	json_put_text(o, "path", f->path);
	json_put_number(o, "files", true, f->files);
	json_put_text(o, "kind", f->kind);
	json_put_number(o, "calls", true, f->calls);
	json_put_number(o, "wait_ns", waits_known, f->wait_ns);
	json_put_number(o, "predicted_calls", f->predicted, f->predicted_calls);
	put_range(o, "predicted_saving_ns", f->gain.known, &f->gain.syscall_ns, true);
	put_range(o, "predicted_cpu_saving_ns", f->gain.known, &f->gain.cpu_ns, true);
	put_range(o, "predicted_cpu_share", f->gain.known, &f->gain.cpu_share, false);
	put_range(o, "predicted_time_saving_ns", f->gain.known, &f->gain.time_ns, true);
	put_range(o, "predicted_wall_saving_ns", f->gain.known && !f->gain.watched,
		  &f->gain.wall_ns, true);
	put_range(o, "predicted_share", f->gain.known, &f->gain.share, false);
	json_put_number(o, "predicted_latency_saving_ns", f->late.nr,
			f->late.nr ? f->late.ns / f->late.nr : 0);
	put_each(o, f);
	put_group(o, f, p);
	put_sentence(o, "basis", f->basis);
	put_sentence(o, "reason", f->reason);
	put_sentence(o, "condition", f->condition);
	put_sentence(o, "evidence", f->evidence);
	put_sentence(o, "advice", f->advice);
	put_sentence(o, "caveat", f->caveat);
	if (p->stacks.samples)
		json_put_places(o, &p->stacks, f->sites, f->nr_sites, f->sites_by);
}

void json_put_findings(struct json_object *o, const struct result *r)
{
	json_t *list = r->profile->unknown & UNKNOWN_FILES ? json_null() : json_array();
	bool waits_known = !(r->profile->unknown & (UNKNOWN_LATENCY | UNKNOWN_WAITS));

	for (size_t i = 0; i < r->findings.nr; i++) {
		struct json_object finding = json_object_new();

		put_finding(&finding, &r->findings.list[i], r->profile, waits_known);
		json_append(list, &finding, &o->err);
	}
	json_put(o, "findings", list);
}
