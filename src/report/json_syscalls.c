// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "base/errno_name.h"
#include "report/json_figures.h"
#include "report/json_members.h"
#include "report/json_sections.h"
#include "report/sections.h"

/* An ABI has some 400 calls. */
#define MAX_SYSCALLS 4096

/* ---- writing ---- */

void json_put_errnos(struct json_object *o, const struct errno_count *errnos, size_t nr)
{
	json_t *list = json_array();
	char buf[24];

	for (size_t i = 0; i < nr; i++) {
		struct json_object e = json_object_new();

		json_put_text(&e, "errno", format_errno(buf, sizeof(buf), errnos[i].err));
		json_put_number(&e, "code", true, (uint64_t)errnos[i].err);
		json_put_number(&e, "count", true, errnos[i].count);
		json_append(list, &e, &o->err);
	}
	json_put(o, "errnos", list);
}

static void put_summary(struct json_object *o, const struct syscall_stats *s,
			const struct profile *p)
{
	json_put(o, "transfers", json_boolean(s->transfers));
	for (int id = 0; id < NR_SYSCALL_FIGURES; id++)
		json_put_figure(o, id, SCOPE_SYSCALL, s, s->transfers, p->unknown);
	json_put_rates(o, SCOPE_SYSCALL, s, s->transfers, p);
}

/* Puts the histograms of these sections. One of ns is of the section of latencies. */
static void put_histograms(struct json_object *o, const struct syscall_stats *s, unsigned unknown,
			   unsigned sections)
{
	for (enum histogram_id id = 0; id < NR_HISTOGRAMS; id++) {
		bool ns = figure_histograms[id].unit == UNIT_NS;

		if (sections & (ns ? SECTION_LATENCY : SECTION_SIZES))
			json_put_figure_histogram(o, id, SCOPE_SYSCALL, s, s->transfers, unknown);
	}
}

void json_put_syscalls(struct json_object *o, const struct profile *p, unsigned sections)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *s = &p->syscalls[i];
		struct json_object row = { NULL, 0 };

		if (!s->calls)
			continue;
		row.json = json_object();
		json_put_call(&row, "name", s->name, s->abi, s->nr);
		if (sections & SECTION_SUMMARY)
			put_summary(&row, s, p);
		if (sections & SECTION_ERRORS)
			json_put_errnos(&row, s->errnos, s->nr_errnos);
		put_histograms(&row, s, p->unknown, sections);
		json_append(list, &row, &o->err);
	}
	json_put(o, "syscalls", list);
}

/* ---- reading ---- */

void json_read_errnos(struct errno_count **errnos, size_t *nr, uint64_t errors,
		      const struct json_node *row)
{
	struct json_node list = json_member(row, "errnos");
	uint64_t sum = 0;
	int before = 0;

	json_for_each (e, &list) {
		struct json_node code = json_member(&e, "code");
		uint64_t count = json_member_number(&e, "count");
		struct json_node name = json_member(&e, "errno");
		int err = (int)json_number_within(&code, 1, 4095);

		json_word(&name); /* The code is enough. */
		if (err <= before)
			json_fail(&code, -EINVAL, "must be more than the one before");
		if (!count || __builtin_add_overflow(sum, count, &sum))
			json_fail(&e, -EINVAL, "its count must be more than 0, and not absurd");
		if (!list.reader->err && errno_counts_add(errnos, nr, err, count))
			json_fail(&e, -ENOMEM, "no memory");
		before = err;
	}
	if (sum > errors && !row->reader->part)
		json_fail(&list, -EINVAL, "add up to more than the errors");
}

static void read_row(struct syscall_stats *s, const struct json_node *row, unsigned unknown)
{
	json_member_text_into(row, "name", s->name, sizeof(s->name));
	s->transfers = json_member_bool(row, "transfers");
	json_read_figures(row, SCOPE_SYSCALL, s, s->transfers, unknown);
	json_read_errnos(&s->errnos, &s->nr_errnos, s->errors, row);
}

/* Adds to a sum, which has the limit of a single number. */
static bool add_within(uint64_t *sum, uint64_t value)
{
	return !__builtin_add_overflow(*sum, value, sum) && *sum <= INT64_MAX;
}

uint64_t json_read_syscalls(struct profile *p, const struct json_node *root)
{
	uint64_t calls = 0, total_ns = 0, bytes = 0;
	struct json_node list = json_member(root, "syscalls");

	if (json_list_size(&list) > MAX_SYSCALLS)
		json_fail(&list, -EINVAL, "there are not more than %d system calls", MAX_SYSCALLS);
	json_for_each (row, &list) {
		enum iotrace_abi abi = json_member_abi(&row);
		int number = json_member_int(&row, "nr");
		struct syscall_stats *s;

		if (list.reader->err)
			break;
		s = profile_syscall(p, abi, number);
		if (!s) {
			json_fail(&row, -ENOMEM, "no memory");
			break;
		}
		if (p->nr_syscalls != row.index + 1) {
			json_fail(&row, -EINVAL, "is in the list twice");
			break;
		}
		p->unknown |= json_figures_lacking(&row, SCOPE_SYSCALL);
		read_row(s, &row, p->unknown);
		if (!add_within(&calls, s->calls) || !add_within(&total_ns, s->total_ns) ||
		    !add_within(&bytes, s->bytes))
			json_fail(&row, -EINVAL, "the figures add up to more than 63 bits hold");
	}
	return calls;
}
