// SPDX-License-Identifier: GPL-2.0
/*
 * Intervals as JSON, each in few bytes, as a long run has many: a figure that is not there is 0, or
 * unknown as "unknown" of the run says, and a bucket is [low, count].
 */
#include "report/json_intervals.h"

#include <errno.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/figures.h"
#include "model/profile_files.h"
#include "model/profile_groups.h"
#include "model/tallies.h"
#include "report/json_figures.h"
#include "report/json_file.h"
#include "report/json_members.h"
#include "report/json_sections.h"
#include "report/sections.h"

/* ---- writing ---- */

/* Puts the sum of all calls, with its rates. */
static void put_total(struct json_object *o, const struct profile *p)
{
	struct json_object total = json_object_new();
	struct syscall_stats sum;

	profile_sum(&sum, p);
	json_put_sparse_figures(&total, SCOPE_SYSCALL, &sum, sum.transfers, p->unknown);
	json_put_rates(&total, SCOPE_SYSCALL, &sum, sum.transfers, p);
	json_put_object(o, "total", true, &total);
}

static void put_integrity(struct json_object *o, const struct profile *p)
{
	struct json_object part = json_object_new();

	for (size_t i = 0; i < NR_TALLIES; i++)
		if (tally_value(&tallies[i], p))
			json_put_number(&part, tallies[i].key, true, tally_value(&tallies[i], p));
	json_put_object(o, "integrity", true, &part);
}

/* Makes the row of a syscall: of all its calls, or of those on a file or by a group. */
static struct json_object make_row(const char *name, enum iotrace_abi abi, int nr,
				   enum figure_scope scope, const void *stats, bool transfers,
				   unsigned unknown)
{
	struct json_object row = json_object_new();

	json_put_call(&row, "name", name, abi, nr);
	json_put_sparse_figures(&row, scope, stats, transfers, unknown);
	json_put_sparse_histograms(&row, scope, stats, transfers, unknown);
	return row;
}

static void put_syscalls(struct json_object *o, const struct profile *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *s = &p->syscalls[i];
		struct json_object row = make_row(s->name, s->abi, s->nr, SCOPE_SYSCALL, s,
						  s->transfers, p->unknown);

		if (s->nr_errnos)
			json_put_errnos(&row, s->errnos, s->nr_errnos);
		json_append(list, &row, &o->err);
	}
	json_put(o, "syscalls", list);
}

static json_t *calls_on_file(struct json_object *o, const struct file_stats *f, unsigned unknown)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->nr_calls; i++) {
		const struct file_call *c = &f->calls[i];
		struct json_object row =
			make_row(c->name, c->abi, c->nr, SCOPE_FILE, c, c->transfers, unknown);

		json_append(list, &row, &o->err);
	}
	return list;
}

/* Puts the files; those of the run have the ids of the index, NULL: the interval's own. */
static void put_files(struct json_object *o, const struct profile *p,
		      const struct files_index *index)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nr_files; i++) {
		const struct file_stats *f = &p->files[i];
		const struct file_stats *named = index ? files_index_find(index, f) : f;
		struct json_object row = json_object_new();

		json_put_number(&row, "file", true, named ? named->id : f->id);
		json_put_text(&row, "path", f->path);
		json_put(&row, "syscalls", calls_on_file(&row, f, p->unknown));
		json_append(list, &row, &o->err);
	}
	json_put(o, "files", list);
}

static void put_groups(struct json_object *o, const struct profile *p)
{
	json_t *list = json_array();
	char buf[GROUP_NAME_SIZE];

	for (size_t i = 0; i < p->nr_groups; i++) {
		const struct group_stats *g = &p->groups[i];
		struct json_object group = json_object_new();
		json_t *calls = json_array();

		json_put_number(&group, "id", true, g->id);
		json_put_text(&group, "name", group_name(buf, g, p->by[1] ? p->by[1] : p->by[0]));
		for (size_t k = 0; k < g->nr_calls; k++) {
			const struct group_call *c = &g->calls[k];
			struct json_object row = make_row(c->name, c->abi, c->nr, SCOPE_GROUP, c,
							  c->transfers, p->unknown);

			if (c->nr_errnos)
				json_put_errnos(&row, c->errnos, c->nr_errnos);
			json_append(calls, &row, &group.err);
		}
		json_put(&group, "syscalls", calls);
		json_append(list, &group, &o->err);
	}
	json_put(o, "groups", list);
}

static void put_findings(struct json_object *o, const struct interval *i)
{
	json_t *list = json_array();

	for (size_t k = 0; k < i->nr_findings; k++) {
		const struct interval_finding *f = &i->findings[k];
		struct json_object row = json_object_new();

		json_put_text(&row, "id", f->id);
		json_put_text(&row, "severity", severity_name(f->severity));
		json_put_text(&row, "path", f->path);
		json_put_number(&row, "calls", true, f->calls);
		json_append(list, &row, &o->err);
	}
	json_put(o, "findings", list);
}

struct json_object json_of_interval(const struct interval *i, unsigned sections,
				    const struct files_index *index)
{
	const struct profile *p = &i->profile;
	struct json_object o = json_object_new();

	json_put_number(&o, "end_ns", true, i->end_ns);
	json_put_number(&o, "elapsed_ns", true, p->elapsed_ns);
	put_total(&o, p);
	json_put_busy(&o, &p->busy);
	put_syscalls(&o, p);
	if (sections & SECTION_GROUPS && p->by[0])
		put_groups(&o, p);
	if (sections & SECTION_FILES && !(p->unknown & UNKNOWN_FILES))
		put_files(&o, p, index);
	if (sections & SECTION_FINDINGS && !(p->unknown & UNKNOWN_FILES))
		put_findings(&o, i);
	put_integrity(&o, p);
	return o;
}

/* The printing of a run's intervals. */
struct interval_printer {
	const struct json_intervals *what;
	struct files_index index;
	int (*hand)(void *to, struct json_object *row);
	void *to;
};

static int print_interval(void *arg, const struct interval *i)
{
	const struct interval_printer *p = arg;
	struct json_object row = json_of_interval(i, p->what->sections, &p->index);
	int err = row.err ? row.err : p->hand(p->to, &row);

	json_decref(row.json);
	return err;
}

int json_each_interval(const void *what, int (*hand)(void *to, struct json_object *row), void *to)
{
	struct interval_printer printer = { .what = what, .hand = hand, .to = to };
	const struct result *r = printer.what->result;
	int err = files_index_make(&printer.index, r->files, r->nr_files);

	if (!err)
		err = intervals_each(r->intervals, r->profile, print_interval, &printer);
	free(printer.index.list);
	return err;
}

void json_put_intervals(struct json_object *o, const struct result *r)
{
	json_put(o, "intervals", r->intervals ? json_array() : json_null());
}

/* ---- reading ---- */

/* The intervals that are read, and the calls of each syscall in them so far. */
struct interval_reader {
	struct intervals *intervals;
	const struct profile *run;
	uint64_t *calls; /* By the index of the run's syscall. */
	uint64_t end_ns, elapsed_ns;
	/* Sums of all rows of a scope, and of the tallies, which must be numbers, too. */
	uint64_t of_syscalls[NR_FIGURES], of_files[NR_FIGURES], of_groups[NR_FIGURES];
	uint64_t of_tallies[NR_TALLIES];
};

/* Adds to a sum, which has the limit of a single number. */
static void add_up(uint64_t *sum, uint64_t value, const struct json_node *n)
{
	if (__builtin_add_overflow(*sum, value, sum) || *sum > INT64_MAX)
		json_fail(n, -EINVAL, "adds up to an absurd number with the others");
}

/* Reads the figures of a row, and adds them to the sums of its scope. */
static void read_figures(struct interval_reader *r, const struct json_node *row,
			 enum figure_scope scope, void *stats)
{
	uint64_t *sums = scope == SCOPE_SYSCALL ? r->of_syscalls
			 : scope == SCOPE_FILE	? r->of_files
						: r->of_groups;

	json_read_sparse_figures(row, scope, stats);
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figure_is_counter(&figures[id], scope) && figures[id].combine == COMBINE_SUM)
			add_up(&sums[id], *figure_counter(&figures[id], scope, stats), row);
}

static void fail_memory(const struct json_node *n)
{
	json_fail(n, -ENOMEM, "no memory");
}

/* Reads which syscall of the run a row is about. NULL after an error. */
static const struct syscall_stats *read_call(const struct profile *run, const struct json_node *row)
{
	enum iotrace_abi abi = json_member_abi(row);
	int nr = json_member_int(row, "nr");
	const struct syscall_stats *s;

	if (row->reader->err)
		return NULL;
	s = profile_find_syscall(run, abi, nr);
	if (!s)
		json_fail(row, -EINVAL, "is a syscall that the run does not have");
	return s;
}

static void count_calls(struct interval_reader *r, const struct syscall_stats *known,
			const struct syscall_stats *s, const struct json_node *row)
{
	uint64_t *calls = &r->calls[known - r->run->syscalls];

	if (s->calls > known->calls - *calls)
		json_fail(row, -EINVAL, "has more calls than the run");
	else
		*calls += s->calls;
}

static void read_syscalls(struct interval_reader *r, struct profile *p,
			  const struct json_node *interval)
{
	struct json_node list = json_member(interval, "syscalls");

	json_for_each (row, &list) {
		const struct syscall_stats *known = read_call(r->run, &row);
		struct syscall_stats *s;

		if (!known)
			return;
		s = profile_syscall(p, known->abi, known->nr);
		if (!s || p->nr_syscalls != row.index + 1) {
			json_fail(&row, s ? -EINVAL : -ENOMEM,
				  s ? "is in the list twice" : "no memory");
			return;
		}
		s->transfers = known->transfers;
		read_figures(r, &row, SCOPE_SYSCALL, s);
		if (json_has(&row, "errnos"))
			json_read_errnos(&s->errnos, &s->nr_errnos, s->errors, &row);
		count_calls(r, known, s, &row);
	}
}

static void read_file(struct interval_reader *r, struct profile *p, const struct json_node *row)
{
	const struct profile *run = r->run;
	struct json_node id = json_member(row, "file"), list = json_member(row, "syscalls");
	uint32_t number = (uint32_t)json_number_within(&id, FILE_ID_OTHER, UINT32_MAX);
	struct file_stats *f;

	if (row->reader->err)
		return;
	if (number != FILE_ID_OTHER && !profile_find_file(run, number)) {
		json_fail(&id, -EINVAL, "is a file that the run does not have");
		return;
	}
	f = profile_file(p, number);
	if (!f)
		fail_memory(row);
	json_for_each (call, &list) {
		const struct syscall_stats *known = read_call(run, &call);
		struct file_call read = { 0 }, *c;

		if (!known)
			return;
		read_figures(r, &call, SCOPE_FILE, &read);
		c = file_stats_call(f, known->abi, known->nr);
		if (c)
			file_call_merge(c, &read); /* Files of one path have one number. */
		else
			fail_memory(&call);
	}
}

static void read_files(struct interval_reader *r, struct profile *p,
		       const struct json_node *interval)
{
	struct json_node list = json_optional(interval, "files");

	if (json_is_none(&list))
		return;
	json_for_each (row, &list)
		read_file(r, p, &row);
}

static void read_group(struct interval_reader *r, struct profile *p, const struct json_node *row)
{
	const struct profile *run = r->run;
	struct json_node id = json_member(row, "id"), list = json_member(row, "syscalls");
	uint32_t number = (uint32_t)json_number_within(&id, GROUP_OTHER, UINT32_MAX);
	struct group_stats *g;

	if (row->reader->err)
		return;
	if (number != GROUP_OTHER && !profile_find_group(run, number)) {
		json_fail(&id, -EINVAL, "is a group that the run does not have");
		return;
	}
	g = profile_group(p, number);
	if (!g)
		fail_memory(row);
	json_for_each (call, &list) {
		const struct syscall_stats *known = read_call(run, &call);
		struct group_call *c;

		if (!known)
			return;
		c = group_stats_call(g, known->abi, known->nr);
		if (!c || g->nr_calls != call.index + 1) {
			json_fail(&call, c ? -EINVAL : -ENOMEM,
				  c ? "is in the list twice" : "no memory");
			return;
		}
		read_figures(r, &call, SCOPE_GROUP, c);
		if (json_has(&call, "errnos"))
			json_read_errnos(&c->errnos, &c->nr_errnos, c->errors, &call);
	}
}

static void read_groups(struct interval_reader *r, struct profile *p,
			const struct json_node *interval)
{
	struct json_node list = json_optional(interval, "groups");

	if (json_is_none(&list))
		return;
	json_for_each (row, &list)
		read_group(r, p, &row);
}

static enum severity read_severity(const struct json_node *row)
{
	struct json_node n = json_member(row, "severity");
	const char *name = json_word(&n);
	enum severity s = 0;

	while (name && s < NR_SEVERITIES && !same_text(severity_name(s), name))
		s++;
	if (s < NR_SEVERITIES)
		return s;
	json_fail(&n, -EINVAL, "is no severity");
	return SEVERITY_INFO;
}

/* Reads a finding. One of a newer iotrace, whose rule is not known here, is left out. */
static void read_finding(struct interval *i, const struct json_node *row)
{
	struct json_node id = json_member(row, "id");
	const char *name = json_word(&id);
	struct interval_finding f = { .severity = read_severity(row) };
	size_t rule = 0;

	while (findings_id(rule) && !same_text(findings_id(rule), name))
		rule++;
	f.id = findings_id(rule);
	f.path = json_member_text(row, "path");
	f.calls = json_member_number(row, "calls");
	if (f.id && !row->reader->err && interval_add_finding(i, &f))
		fail_memory(row);
	free(f.path);
}

static void read_findings(struct interval *i, const struct json_node *interval)
{
	struct json_node list = json_optional(interval, "findings");

	if (json_is_none(&list))
		return;
	json_for_each (row, &list)
		read_finding(i, &row);
}

static void read_integrity(struct interval_reader *r, struct profile *p,
			   const struct json_node *interval)
{
	struct json_node n = json_member(interval, "integrity");

	for (size_t i = 0; i < NR_TALLIES; i++) {
		*tally_of(&tallies[i], p) = json_member_if_there(&n, tallies[i].key);
		add_up(&r->of_tallies[i], tally_value(&tallies[i], p), &n);
	}
}

static void read_interval(struct interval_reader *r, const struct json_node *row)
{
	struct json_node end = json_member(row, "end_ns");
	struct interval i = { 0 };

	i.end_ns = json_number_within(&end, r->end_ns, INT64_MAX);
	i.profile.elapsed_ns = json_member_number(row, "elapsed_ns");
	add_up(&r->elapsed_ns, i.profile.elapsed_ns, row);
	json_read_busy(&i.profile.busy, row);
	read_syscalls(r, &i.profile, row);
	read_groups(r, &i.profile, row);
	read_files(r, &i.profile, row);
	read_findings(&i, row);
	read_integrity(r, &i.profile, row);
	r->end_ns = i.end_ns;
	if (!row->reader->err && intervals_add(r->intervals, &i))
		fail_memory(row);
	interval_free(&i);
}

void json_read_intervals(struct intervals *intervals, const struct profile *run,
			 const struct json_node *root)
{
	struct json_node list = json_optional(root, LONG_LIST_INTERVALS), row;
	struct interval_reader reader = { .intervals = intervals, .run = run };
	struct json_rows rows;

	if (json_is_none(&list))
		return;
	reader.calls = calloc(run->nr_syscalls + 1, sizeof(*reader.calls));
	if (!reader.calls)
		fail_memory(&list);
	root->reader->part = true;
	json_rows_begin(&rows, &list);
	while (json_rows_next(&rows, &row))
		read_interval(&reader, &row);
	free(reader.calls);
}
