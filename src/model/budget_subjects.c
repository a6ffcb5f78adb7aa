// SPDX-License-Identifier: GPL-2.0
#include "model/budget_subjects.h"

#include <string.h>

#include "base/array.h"
#include "model/abi.h"
#include "model/compare.h"

static const struct subject_figure no_figure = { .key = NULL };
static const struct subject_figure time_share = { .key = "time-share",
						  .unit = UNIT_SHARE,
						  .needs = UNKNOWN_LATENCY };

struct subject_figure budget_figure(const struct budget *b)
{
	return b->subject->figure(b->figure);
}

/* ---- SYSCALL.FIGURE, total.FIGURE ---- */

static struct subject_figure subject_figure(enum figure_id id)
{
	const struct figure *f = &figures[id];

	return (struct subject_figure){ f->key, (int)f->unit, f->needs, id, 0 };
}

/* What follows the figures that are counters, by number: the share of the time, and the rates. */
static struct subject_figure share_or_rate(int i)
{
	const struct rate *rate;

	if (!i)
		return time_share;
	if (i > NR_RATES)
		return no_figure;
	rate = &rates[i - 1];
	return (struct subject_figure){ rate->key, UNIT_RATE, figures[rate->of].needs, rate->of,
					(enum rate_id)(i - 1) };
}

static struct subject_figure syscall_figure(int i)
{
	if (i < NR_SYSCALL_FIGURES)
		return subject_figure((enum figure_id)i);
	return share_or_rate(i - NR_SYSCALL_FIGURES);
}

static struct subject_figure total_figure(int i)
{
	static const enum figure_id ids[] = { FIGURE_calls, FIGURE_errors, FIGURE_bytes,
					      FIGURE_total_ns };
	const int nr = ARRAY_SIZE(ids);

	if (i < nr)
		return subject_figure(ids[i]);
	return share_or_rate(i - nr);
}

/* Is a call one of the budget's? */
static bool is_about(const struct budget *b, enum iotrace_abi abi, const char *name)
{
	return !budget_syscall(b) || abi_word_names(b->name, abi, name);
}

/* Returns the value of the figure of a sum of calls, whose struct is of this scope. */
static enum known value_of_sum(const struct budget *b, const struct profile *p,
			       enum figure_scope scope, const void *sum, double *value)
{
	struct subject_figure f = budget_figure(b);
	uint64_t total_ns = figure_value_in(scope, FIGURE_total_ns, sum);

	if (f.unit == UNIT_SHARE) {
		*value = p->elapsed_ns ? (double)total_ns / (double)p->elapsed_ns : 0;
		return KNOWN;
	}
	if (f.unit == UNIT_RATE) {
		*value = rate_value(f.rate, scope, sum, p->elapsed_ns);
		return p->elapsed_ns ? KNOWN : NOT_MEASURED;
	}
	if (f.needs & UNKNOWN_LATENCY && !figure_value_in(scope, FIGURE_timed, sum) &&
	    f.id != FIGURE_total_ns)
		return NO_SUCH;
	*value = (double)figure_value_in(scope, f.id, sum);
	return KNOWN;
}

/* Of all groups with the name: those of one name are told apart by what has none. */
static enum known group_value(const struct budget *b, const struct profile *p, double *value)
{
	struct group_call sum = { 0 };
	bool others = false, found = false;
	enum known known;

	if (p->by[0] != b->key && p->by[1] != b->key)
		return NOT_MEASURED;
	for (size_t i = 0; i < p->nr_groups; i++) {
		const struct group_stats *g = &p->groups[i];
		bool called = group_is_called(g, b->key, b->group);

		found = found || called;
		others = others || (g->id == GROUP_OTHER && !called);
		for (size_t c = 0; called && c < g->nr_calls; c++)
			if (is_about(b, g->calls[c].abi, g->calls[c].name))
				figures_add(SCOPE_GROUP, &sum, &g->calls[c]);
	}
	/* Of several groups that are called so, some may be there and others not. */
	if (others && (!found || b->key & (BY_PROCESS | BY_THREAD) || p->by[1]))
		return AMONG_OTHERS;
	known = value_of_sum(b, p, SCOPE_GROUP, &sum, value);
	return !found && known == KNOWN ? NO_GROUP : known;
}

static enum known calls_value(const struct budget *b, const struct result *r, double *value)
{
	const struct profile *p = r->profile;
	struct syscall_stats sum = { 0 };

	if (b->key)
		return group_value(b, p, value);
	for (size_t i = 0; i < p->nr_syscalls; i++)
		if (is_about(b, p->syscalls[i].abi, p->syscalls[i].name))
			figures_add(SCOPE_SYSCALL, &sum, &p->syscalls[i]);
	return value_of_sum(b, p, SCOPE_SYSCALL, &sum, value);
}

/* ---- findings.SEVERITY ---- */

static struct subject_figure severity_figure(int i)
{
	/* Severities above info depend on times. */
	unsigned needs = i > SEVERITY_INFO ? UNKNOWN_FILES | UNKNOWN_GAINS : UNKNOWN_FILES;

	if (i >= NR_SEVERITIES)
		return no_figure;
	return (struct subject_figure){ .key = severity_name((enum severity)i), .needs = needs };
}

static enum known severity_value(const struct budget *b, const struct result *r, double *value)
{
	*value = 0;
	for (size_t i = 0; i < r->findings.nr; i++)
		*value += r->findings.list[i].severity >= (enum severity)b->figure;
	return KNOWN;
}

/* ---- FINDING.FIGURE ---- */

enum { FINDING_COUNT, FINDING_CALLS, FINDING_PREDICTED, FINDING_SAVING, FINDING_SHARE };

static bool is_finding(const char *name)
{
	const char *id;

	for (size_t i = 0; (id = findings_id(i)); i++)
		if (!strcmp(id, name))
			return true;
	return false;
}

static struct subject_figure finding_figure(int i)
{
	enum { GAIN = UNKNOWN_FILES | UNKNOWN_LATENCY | UNKNOWN_GAINS };
	static const struct subject_figure list[] = {
		[FINDING_COUNT] = { .key = "count", .unit = UNIT_COUNT, .needs = UNKNOWN_FILES },
		[FINDING_CALLS] = { .key = "calls", .unit = UNIT_COUNT, .needs = UNKNOWN_FILES },
		[FINDING_PREDICTED] = { .key = "predicted_calls",
					.unit = UNIT_COUNT,
					.needs = UNKNOWN_FILES },
		[FINDING_SAVING] = { .key = "saving_ns", .unit = UNIT_NS, .needs = GAIN },
		[FINDING_SHARE] = { .key = "time-share", .unit = UNIT_SHARE, .needs = GAIN },
		{ .key = NULL },
	};

	return list[i];
}

static double figure_of_finding(const struct finding *f, int figure)
{
	switch (figure) {
	case FINDING_COUNT:
		return 1;
	case FINDING_CALLS:
		return (double)f->calls;
	case FINDING_PREDICTED:
		return f->predicted ? (double)f->predicted_calls : (double)f->calls;
	case FINDING_SAVING:
		return f->gain.watched ? f->gain.time_ns.low : f->gain.wall_ns.low;
	}
	return f->share;
}

static enum known finding_value(const struct budget *b, const struct result *r, double *value)
{
	enum known known = KNOWN;

	*value = 0;
	for (size_t i = 0; i < r->findings.nr; i++) {
		const struct finding *f = &r->findings.list[i];

		if (strcmp(f->id, b->name))
			continue;
		if (b->figure == FINDING_SAVING && f->predicted && !f->gain.known)
			known = NOT_MEASURED;
		*value += figure_of_finding(f, b->figure);
	}
	return known;
}

/* ---- ratio.wall, ratio.SYSCALL.FIGURE ---- */

static struct subject_figure wall_figure(int i)
{
	(void)i;
	return (struct subject_figure){ .unit = UNIT_RATIO };
}

static struct subject_figure ratio_figure(int i)
{
	struct subject_figure f = no_figure;

	if (i < NR_COMPARED)
		f = subject_figure(compared_figures[i]);
	f.unit = UNIT_RATIO;
	return f;
}

bool budget_is_of_calls(const struct budget *b)
{
	return b->subject->value == calls_value;
}

unsigned budget_needs(const struct budget *b)
{
	return budget_figure(b).needs;
}

const char *budget_syscall(const struct budget *b)
{
	return b->subject->accepts == syscall_is_known ? b->name : NULL;
}

unsigned budget_key(const struct budget *b)
{
	return b->key;
}

/* ---- all of them ---- */

const struct budget_subject budget_subjects[] = {
	{ "total", NULL, total_figure, calls_value },
	{ "findings", NULL, severity_figure, severity_value },
	{ NULL, is_finding, finding_figure, finding_value },
	{ NULL, syscall_is_known, syscall_figure, calls_value },
	{ NULL, NULL, NULL, NULL },
};

const struct budget_subject ratio_subjects[] = {
	{ "wall", NULL, wall_figure, NULL },
	{ "total", NULL, ratio_figure, NULL },
	{ NULL, syscall_is_known, ratio_figure, NULL },
	{ NULL, NULL, NULL, NULL },
};
