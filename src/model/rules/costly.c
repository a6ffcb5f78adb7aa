// SPDX-License-Identifier: GPL-2.0
/* Calls that take a good part of the run, and that no other finding is about. */
#include <string.h>

#include "base/arithmetic.h"
#include "model/rules/rule.h"

/* Fewer calls are no habit. */
#define MIN_COSTLY_CALLS 1000
/* Calls that work for this part of the run are worth being named. */
#define MUCH_OF_RUN 5
/* Findings explain a call if they are about this part of its time. */
#define PART_OF_CALL 4
/* Calls that move more bytes each are the program's work. */
#define BULK 4096

/* Returns the time that a call works on a file, or on all files of that path. */
static uint64_t time_on(const struct subject *s, const char *path, const char *name)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < s->nr_files; i++)
		for (size_t k = 0; !strcmp(s->files[i].path, path) && k < s->files[i].nr_calls; k++)
			if (!strcmp(s->files[i].calls[k].name, name))
				ns += file_call_running_ns(&s->files[i].calls[k]);
	return ns;
}

/* Returns the time of a call that a finding is about. Those of the run have no file. */
static uint64_t explained_ns(const struct finding *f, const struct subject *s,
			     const struct syscall_stats *row)
{
	enum syscall_action action = syscall_traits_by_name(row->name).action;
	bool looks = action == ACTION_LOOKS || action == ACTION_OPENS;

	if (f->fix.syscall && !strcmp(f->fix.syscall, row->name))
		return f->fix.total_ns;
	if (looks && !strcmp(f->kind, file_kind_name(FILE_KIND_FAILED)))
		return f->fix.total_ns;
	return time_on(s, f->path, row->name);
}

/* Are the findings about a good part of the call's time? */
static bool is_explained(const struct subject *s, const struct syscall_stats *row,
			 uint64_t running_ns)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < s->found->nr && ns < running_ns / PART_OF_CALL; i++)
		ns += explained_ns(&s->found->list[i], s, row);
	return ns >= running_ns / PART_OF_CALL;
}

static uint64_t running_ns(const struct syscall_stats *row)
{
	return sub_saturated(row->total_ns, row->wait_ns);
}

/* Returns the time of the run, or of its tasks, if several worked at a time. */
static uint64_t whole_ns(const struct profile *p)
{
	uint64_t busy_ns = p->busy.user_ns + p->busy.system_ns;

	return busy_ns > p->elapsed_ns ? busy_ns : p->elapsed_ns;
}

static bool is_costly(const struct subject *s, const struct syscall_stats *row)
{
	return row->calls >= MIN_COSTLY_CALLS && row->bytes / row->calls < BULK &&
	       running_ns(row) >= whole_ns(s->profile) / MUCH_OF_RUN &&
	       !is_explained(s, row, running_ns(row));
}

/* Judges the syscall that works longest, of those that are not explained. */
static bool judge(const struct subject *s, struct finding *f)
{
	const struct syscall_stats *most = NULL;

	if (s->profile->unknown & (UNKNOWN_LATENCY | UNKNOWN_WAITS) || !whole_ns(s->profile))
		return false;
	for (size_t i = 0; i < s->profile->nr_syscalls; i++) {
		const struct syscall_stats *row = &s->profile->syscalls[i];

		if (is_costly(s, row) && (!most || running_ns(row) > running_ns(most)))
			most = row;
	}
	if (!most)
		return false;
	f->path = strdup("(all files)");
	f->kind = file_kind_name(FILE_KIND_OTHER);
	f->calls = most->calls;
	f->fix.total_ns = running_ns(most);
	f->fix.syscall = most->name;
	rule_set_text(&f->evidence, "%s calls of %s() take %.0f %% of %s", COUNT(most->calls),
		      most->name, 100 * rule_ratio(running_ns(most), whole_ns(s->profile)),
		      !predict_is_watched(s->profile)		      ? "the run"
		      : whole_ns(s->profile) > s->profile->elapsed_ns ? "the CPU time"
								      : "one CPU");
	f->excused = true;
	f->severity = SEVERITY_LOW;
	f->advice = advice_text(ADVICE_COSTLY);
	return true;
}

const struct rule rule_costly = { "costly-call", true, ABOUT_ALL | BY_TIME, judge };
