// SPDX-License-Identifier: GPL-2.0
#include "model/budget.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "base/text.h"
#include "model/abi.h"
#include "model/compare.h"
#include "model/figures.h"
#include "model/nearest.h"
#include "model/rates.h"

/* Units that no figure of a syscall has, beside enum figure_unit. */
enum { UNIT_SHARE = UNIT_BYTES + 1, UNIT_RATE, UNIT_RATIO };

/* A figure that may follow the point. */
struct subject_figure {
	const char *key; /* NULL: there is no such figure. */
	int unit;
	unsigned needs;	   /* What must be known: enum profile_unknown. */
	enum figure_id id; /* The figure of a syscall, unless the unit is UNIT_SHARE. */
	enum rate_id rate; /* The rate of that figure, if the unit is UNIT_RATE. */
};

enum known {
	KNOWN,
	NOT_MEASURED,
	AMONG_OTHERS, /* It is about a group, whose calls are among those of (other), or may be. */
	NO_GROUP,     /* No group is called so. The value is 0. */
	/* The figure has no value, like the mean of no calls: there is nothing to exceed. */
	NO_SUCH,
};

struct budget_subject {
	/* What stands before the point: this name, or one that is accepted. */
	const char *name;
	bool (*accepts)(const char *name);
	/* Its figures, one after the other. */
	struct subject_figure (*figure)(int i);
	/* NULL for the budgets of a comparison, which ratio_budget.c checks. */
	enum known (*value)(const struct budget *b, const struct result *r, double *value);
};

static const struct subject_figure no_figure = { .key = NULL };
static const struct subject_figure time_share = { .key = "time-share",
						  .unit = UNIT_SHARE,
						  .needs = UNKNOWN_LATENCY };

static struct subject_figure figure_of(const struct budget *b)
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
	struct subject_figure f = figure_of(b);
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
		return f->gain.wall_ns.low;
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

/* ---- parsing ---- */

static const struct budget_subject subjects[] = {
	{ "total", NULL, total_figure, calls_value },
	{ "findings", NULL, severity_figure, severity_value },
	{ NULL, is_finding, finding_figure, finding_value },
	{ NULL, syscall_is_known, syscall_figure, calls_value },
	{ NULL, NULL, NULL, NULL },
};

static const struct budget_subject ratio_subjects[] = {
	{ "wall", NULL, wall_figure, NULL },
	{ "total", NULL, ratio_figure, NULL },
	{ NULL, syscall_is_known, ratio_figure, NULL },
	{ NULL, NULL, NULL, NULL },
};

/* What is said about the budgets of a run, and those of a comparison. */
struct grammar {
	const char *prefix; /* What the budget begins with. */
	const struct budget_subject *subjects;
	const char *shape;	      /* What has to follow the names. */
	const char *names;	      /* What the names have to be. */
	const char *unknown, *others; /* The words of "there is no ...; there are also ...". */
	const char *has_no, *but;     /* The words of "write has no ...'p98_ns', but ...calls". */
};

static const char shape_of_run[] =
	"it must be NAME.FIGURE, one of > >= < <= == !=, and a number, such as 'write.calls>1000'";

static const struct grammar of_run = {
	.prefix = "",
	.subjects = subjects,
	.shape = shape_of_run,
	.names = shape_of_run,
	.unknown = "syscall or finding",
	.others = "total and findings",
	.has_no = "",
	.but = "",
};

static const struct grammar of_ratio = {
	.prefix = "ratio.",
	.subjects = ratio_subjects,
	.shape =
		"it must be one of > >= < <= == != and a number after the ratio, such as 'ratio.write.calls>1.1'",
	.names = "a ratio is ratio.wall, ratio.SYSCALL.FIGURE or ratio.total.FIGURE",
	.unknown = "syscall",
	.others = "wall and total",
	.has_no = "ratio of ",
	.but = "of ",
};

bool is_ratio_budget(const char *text)
{
	return !strncmp(text, of_ratio.prefix, strlen(of_ratio.prefix));
}

static const struct {
	const char *text;
	int unit;
	double factor;
} suffixes[] = {
	{ "", UNIT_COUNT, 1 },	  { "k", UNIT_COUNT, 1e3 }, { "M", UNIT_COUNT, 1e6 },
	{ "G", UNIT_COUNT, 1e9 }, { "", UNIT_BYTES, 1 },    { "k", UNIT_BYTES, 1e3 },
	{ "M", UNIT_BYTES, 1e6 }, { "G", UNIT_BYTES, 1e9 }, { "", UNIT_NS, 1 },
	{ "ns", UNIT_NS, 1 },	  { "us", UNIT_NS, 1e3 },   { "ms", UNIT_NS, 1e6 },
	{ "s", UNIT_NS, 1e9 },	  { "", UNIT_SHARE, 1 },    { "%", UNIT_SHARE, 0.01 },
	{ "", UNIT_RATE, 1 },	  { "k", UNIT_RATE, 1e3 },  { "M", UNIT_RATE, 1e6 },
	{ "G", UNIT_RATE, 1e9 },  { "", UNIT_RATIO, 1 },
};

enum { LESS = 1 << 0, EQUAL = 1 << 1, MORE = 1 << 2 };

/* The longer ones come first, as the shorter ones begin them. */
static const struct {
	const char *text;
	unsigned broken;
} operators[] = {
	{ ">=", MORE | EQUAL }, { "<=", LESS | EQUAL }, { "==", EQUAL },
	{ "!=", LESS | MORE },	{ ">", MORE },		{ "<", LESS },
};

bool limit_is_broken(const struct limit *limit, double value)
{
	return limit->broken & (value < limit->value ? LESS : value > limit->value ? MORE : EQUAL);
}

/*
 * Finds the first operator of "write.calls>1000". Returns what follows it, with the place where it
 * begins in *begin. NULL: there is none.
 */
static const char *find_operator(struct limit *limit, const char *text, const char **begin)
{
	*begin = text + strcspn(text, "<>=!");
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		size_t len = strlen(operators[i].text);

		if (strncmp(*begin, operators[i].text, len) != 0)
			continue;
		limit->broken = operators[i].broken;
		return *begin + len;
	}
	return NULL;
}

static int refuse(const struct budget *b, char *why, size_t size, const char *what)
{
	snprintf(why, size, "invalid --fail-if '%.100s': %s", b->text, what);
	return -EINVAL;
}

/* Parses a number with a suffix of its unit up to the end. */
static int parse_limit(struct budget *b, const char *text, char *why, size_t size)
{
	static const char *const examples[] = {
		[UNIT_COUNT] = "a number such as 1000 or 1k",
		[UNIT_NS] = "a time such as 500ns, 20us, 3ms or 1s",
		[UNIT_BYTES] = "a number of bytes such as 4096 or 1M",
		[UNIT_SHARE] = "a share such as 0.2 or 20%; above 1 it needs a %",
		[UNIT_RATE] = "a number a second such as 0.5, 10 or 1k"
	};
	int unit = figure_of(b).unit;
	char message[120], *end;

	b->limit.value = strtod(text, &end);
	for (size_t i = 0; end != text && isfinite(b->limit.value) && i < ARRAY_SIZE(suffixes);
	     i++) {
		if (suffixes[i].unit != unit || strcmp(suffixes[i].text, end) != 0)
			continue;
		/* Threads beside each other may take more than the run; that is said in percent. */
		if (unit == UNIT_SHARE && !*end && b->limit.value > 1)
			break;
		if (unit == UNIT_RATIO && b->limit.value < 0)
			break;
		b->limit.value *= suffixes[i].factor;
		return 0;
	}
	if (unit == UNIT_RATIO)
		return refuse(b, why, size, "a ratio is compared with a number such as 1.1");
	snprintf(message, sizeof(message), "'%.20s' is not %s", text, examples[unit]);
	return refuse(b, why, size, message);
}

/* Is this "p99_ns" without its unit? */
static bool lacks_unit(const char *word, const char *key)
{
	size_t len = strlen(word);

	return len > 1 && !strncmp(key, word, len) && key[len] == '_';
}

/* Parses the figure after the point. */
static int parse_figure(struct budget *b, const struct grammar *g, const char *word, char *why,
			size_t size)
{
	struct nearest near = nearest_to(word);
	char known[400] = "", message[600];

	for (b->figure = 0; figure_of(b).key; b->figure++) {
		const char *key = figure_of(b).key;
		size_t used = strlen(known);

		if (!strcmp(key, word))
			return 0;
		nearest_try(&near, key, lacks_unit(word, key) ? 0 : edit_distance(word, key));
		snprintf(known + used, sizeof(known) - used, "%s%s", used ? ", " : "", key);
	}
	if (*near.found)
		snprintf(message, sizeof(message), "%s has no %s'%s': did you mean '%s%s.%s'?",
			 b->name, g->has_no, word, g->prefix, b->name, near.found);
	else
		snprintf(message, sizeof(message), "%s has no %s'%s', but %s%s", b->name, g->has_no,
			 word, g->but, known);
	return refuse(b, why, size, message);
}

static bool is_subject(const struct budget_subject *subject, const char *name)
{
	return subject->name ? !strcmp(subject->name, name) : subject->accepts(name);
}

/* Parses "write.calls" up to the end. */
static int parse_names(struct budget *b, const struct grammar *g, const char *text, const char *end,
		       char *why, size_t size)
{
	const char *point = memchr(text, '.', (size_t)(end - text));
	const struct budget_subject *subject = g->subjects;
	bool has_figures;
	char message[200], figure[65] = "";

	snprintf(b->name, sizeof(b->name), "%.*s", (int)((point ? point : end) - text), text);
	while (subject->figure && !is_subject(subject, b->name))
		subject++;
	has_figures = !subject->figure || subject->figure(0).key;
	if (has_figures != (point != NULL))
		return refuse(b, why, size, g->names);
	if (!subject->figure) {
		snprintf(message, sizeof(message), "there is no %s '%s'; there are also %s",
			 g->unknown, b->name, g->others);
		return refuse(b, why, size, message);
	}
	b->subject = subject;
	if (!point)
		return 0;
	snprintf(figure, sizeof(figure), "%.*s", (int)(end - point - 1), point + 1);
	return parse_figure(b, g, figure, why, size);
}

/* Finds the last point before end. NULL: there is none. */
static const char *last_point(const char *text, const char *end)
{
	return memrchr(text, '.', (size_t)(end - text));
}

/*
 * Parses the "comm.cc1." of "comm.cc1.openat.calls". The name of the group may have points: those
 * of the syscall and of the figure are the last ones. Returns 0 with *names behind it, or -EINVAL.
 */
static int parse_group(struct budget *b, const char **names, const char *end, char *why,
		       size_t size)
{
	const char *point = memchr(*names, '.', (size_t)(end - *names)), *name, *last;

	for (size_t i = 0; point && i < NR_GROUP_KEYS && !b->key; i++)
		if (strlen(group_keys[i].name) == (size_t)(point - *names) &&
		    !memcmp(group_keys[i].name, *names, (size_t)(point - *names)))
			b->key = group_keys[i].bit;
	if (!b->key)
		return 0;
	name = point + 1;
	last = last_point(name, end);
	last = last ? last_point(name, last) : NULL;
	if (!last || last == name)
		return refuse(
			b, why, size,
			"of a group it must be KEY.NAME.SYSCALL.FIGURE or KEY.NAME.total.FIGURE, such as 'comm.cc1.openat.calls>1000'");
	b->group = strndup(name, (size_t)(last - name));
	*names = last + 1;
	return b->group ? 0 : refuse(b, why, size, "no memory");
}

/* Does a syscall "write@32" move bytes? */
static bool moves_bytes(const char *word)
{
	char name[sizeof(((struct budget *)0)->name)];
	size_t len;

	abi_of_word(word, &len);
	snprintf(name, sizeof(name), "%.*s", (int)len, word);
	return syscall_traits_by_name(name).transfers;
}

static int parse_budget(struct budget *b, const char *text, char *why, size_t size)
{
	const struct grammar *g = is_ratio_budget(text) ? &of_ratio : &of_run;
	const char *names = text + strlen(g->prefix), *end, *number;
	int err = 0;

	b->text = text;
	number = find_operator(&b->limit, text, &end);
	if (!number)
		return refuse(b, why, size, g->shape);
	while (end > names && end[-1] == ' ')
		end--;
	if (g == &of_run)
		err = parse_group(b, &names, end, why, size);
	if (!err)
		err = parse_names(b, g, names, end, why, size);
	if (!err && b->key && b->subject->value != calls_value)
		err = refuse(b, why, size, "groups have the figures of syscalls and of total");
	if (err)
		return err;
	if (figure_of(b).needs & UNKNOWN_BYTES && budget_syscall(b) && !moves_bytes(b->name))
		return refuse(b, why, size, "this syscall moves no bytes");
	return parse_limit(b, number, why, size);
}

int budget_parse(struct budget *b, const char *text, char *why, size_t size)
{
	int err;

	memset(b, 0, sizeof(*b));
	err = parse_budget(b, text, why, size);
	if (err)
		budget_free(b);
	return err;
}

unsigned budget_needs(const struct budget *b)
{
	return figure_of(b).needs;
}

const char *budget_syscall(const struct budget *b)
{
	return b->subject->accepts == syscall_is_known ? b->name : NULL;
}

unsigned budget_key(const struct budget *b)
{
	return b->key;
}

void budget_free(struct budget *b)
{
	free(b->group);
	b->group = NULL;
}

/* ---- checking ---- */

static const char *format_value(char *buf, size_t size, int unit, double value)
{
	if (unit == UNIT_NS)
		return format_ns(buf, size, rounded(value));
	if (unit == UNIT_SHARE) {
		format_fixed(buf, size - 1, 100 * value, 2);
		return strcat(buf, "%");
	}
	if (unit == UNIT_RATE) {
		format_fixed(buf, size - 2, value, 2);
		return strcat(buf, "/s");
	}
	snprintf(buf, size, "%" PRIu64, rounded(value));
	return buf;
}

enum budget_result budget_check(const struct budget *b, const struct result *r, char *why,
				size_t size)
{
	struct subject_figure f = figure_of(b);
	enum known known = f.needs & r->profile->unknown ? NOT_MEASURED : KNOWN;
	char is[40], by[40];
	double value = 0;

	why[0] = '\0';
	if (known == KNOWN)
		known = b->subject->value(b, r, &value);
	if (known == NOT_MEASURED) {
		snprintf(why, size, "the run did not measure what --fail-if '%.100s' is about",
			 b->text);
		return BUDGET_UNKNOWN;
	}
	if (known == AMONG_OTHERS) {
		snprintf(
			why, size,
			"--fail-if '%.100s': calls that it is about are among those of (other), for lack of room (see --max-groups)",
			b->text);
		return BUDGET_UNKNOWN;
	}
	if (known == NO_SUCH || !limit_is_broken(&b->limit, value)) {
		if (known == NO_GROUP)
			snprintf(why, size, "--fail-if '%.100s': no %s is called '%.100s'", b->text,
				 group_key(b->key)->name, b->group);
		return BUDGET_KEPT;
	}
	format_value(is, sizeof(is), f.unit, value);
	format_value(by, sizeof(by), f.unit, fabs(value - b->limit.value));
	if (value == b->limit.value)
		snprintf(why, size, "--fail-if '%.100s': it is %s", b->text, is);
	else
		snprintf(why, size, "--fail-if '%.100s': it is %s, %s %s", b->text, is, by,
			 value > b->limit.value ? "above" : "below");
	return BUDGET_BROKEN;
}
