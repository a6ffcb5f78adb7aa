// SPDX-License-Identifier: GPL-2.0
#include "model/budget.h"

#include <ctype.h>
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

enum unit { COUNT, NS, BYTES, SHARE, RATIO };

/* A figure that may follow the point. */
struct subject_figure {
	const char *key;
	enum unit unit;
	unsigned needs; /* enum profile_unknown */
};

enum known {
	KNOWN,
	NOT_MEASURED,
	NO_SUCH, /* like the mean of no calls: there is nothing to exceed */
};

struct budget_subject {
	/* Is this what stands before the point? */
	bool (*is)(const char *name);
	/* Its figures, one after the other; key NULL after the last. */
	struct subject_figure (*figure)(int i);
	/* NULL for the budgets of a comparison, which ratio_budget.c checks. */
	enum known (*value)(const struct budget *b, const struct result *r, double *value);
};

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* ---- SYSCALL.FIGURE ---- */

static struct subject_figure syscall_figure(int i)
{
	static const enum unit units[] = {
		[UNIT_COUNT] = COUNT, [UNIT_NS] = NS, [UNIT_BYTES] = BYTES
	};

	if (i < NR_SYSCALL_FIGURES)
		return (struct subject_figure){ figures[i].key, units[figures[i].unit],
						figures[i].needs };
	if (i == NR_SYSCALL_FIGURES)
		return (struct subject_figure){ "time-share", SHARE, UNKNOWN_LATENCY };
	return (struct subject_figure){ NULL, COUNT, 0 };
}

static bool is_of_budget(const struct budget *b, const struct syscall_stats *s)
{
	size_t len;
	enum iotrace_abi abi = abi_of_word(b->name, &len);

	return strlen(s->name) == len && !memcmp(s->name, b->name, len) &&
	       (abi == NR_ABIS || abi == s->abi);
}

static enum known syscall_value(const struct budget *b, const struct result *r, double *value)
{
	struct syscall_stats sum = { 0 };
	enum known known = KNOWN;

	for (size_t i = 0; i < r->profile->nr_syscalls; i++) {
		const struct syscall_stats *s = &r->profile->syscalls[i];

		if (!is_of_budget(b, s))
			continue;
		sum.transfers = s->transfers;
		figures_add(SCOPE_SYSCALL, &sum, s);
	}
	if (b->figure == NR_SYSCALL_FIGURES)
		*value = share(sum.total_ns, r->profile->elapsed_ns);
	else if (figures[b->figure].needs & UNKNOWN_LATENCY && !sum.timed &&
		 b->figure != FIGURE_total_ns)
		known = NO_SUCH;
	else
		*value = (double)figure_value((enum figure_id)b->figure, &sum);
	return known;
}

/* ---- total.FIGURE ---- */

enum { TOTAL_CALLS, TOTAL_ERRORS, TOTAL_BYTES, TOTAL_NS, TOTAL_SHARE };

static bool is_total(const char *name)
{
	return !strcmp(name, "total");
}

static struct subject_figure total_figure(int i)
{
	static const struct subject_figure list[] = {
		[TOTAL_CALLS] = { "calls", COUNT, 0 },
		[TOTAL_ERRORS] = { "errors", COUNT, 0 },
		[TOTAL_BYTES] = { "bytes", BYTES, UNKNOWN_BYTES },
		[TOTAL_NS] = { "total_ns", NS, UNKNOWN_LATENCY },
		[TOTAL_SHARE] = { "time-share", SHARE, UNKNOWN_LATENCY },
		{ NULL, COUNT, 0 },
	};

	return list[i];
}

static enum known total_value(const struct budget *b, const struct result *r, double *value)
{
	uint64_t calls = 0, errors = 0, bytes = 0, ns = 0;

	for (size_t i = 0; i < r->profile->nr_syscalls; i++) {
		const struct syscall_stats *s = &r->profile->syscalls[i];

		calls += s->calls;
		errors += s->errors;
		bytes += s->bytes;
		ns += s->total_ns;
	}
	*value = b->figure == TOTAL_CALLS    ? (double)calls
		 : b->figure == TOTAL_ERRORS ? (double)errors
		 : b->figure == TOTAL_BYTES  ? (double)bytes
		 : b->figure == TOTAL_NS     ? (double)ns
					     : share(ns, r->profile->elapsed_ns);
	return KNOWN;
}

/* ---- findings.SEVERITY ---- */

static bool is_findings(const char *name)
{
	return !strcmp(name, "findings");
}

static struct subject_figure severity_figure(int i)
{
	/* Severities above info depend on times. */
	unsigned needs = i > SEVERITY_INFO ? UNKNOWN_FILES | UNKNOWN_GAINS : UNKNOWN_FILES;

	return (struct subject_figure){ i < NR_SEVERITIES ? severity_name((enum severity)i) : NULL,
					COUNT, needs };
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
		[FINDING_COUNT] = { "count", COUNT, UNKNOWN_FILES },
		[FINDING_CALLS] = { "calls", COUNT, UNKNOWN_FILES },
		[FINDING_PREDICTED] = { "predicted_calls", COUNT, UNKNOWN_FILES },
		[FINDING_SAVING] = { "saving_ns", NS, GAIN },
		[FINDING_SHARE] = { "time-share", SHARE, GAIN },
		{ NULL, COUNT, 0 },
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

static bool is_wall(const char *name)
{
	return !strcmp(name, "wall");
}

static struct subject_figure no_figure(int i)
{
	(void)i;
	return (struct subject_figure){ NULL, RATIO, 0 };
}

static struct subject_figure ratio_figure(int i)
{
	const struct figure *f = i < NR_COMPARED ? &figures[compared_figures[i]] : NULL;

	return f ? (struct subject_figure){ f->key, RATIO, f->needs } : no_figure(i);
}

/* ---- parsing ---- */

static const struct budget_subject subjects[] = {
	{ is_total, total_figure, total_value },
	{ is_findings, severity_figure, severity_value },
	{ is_finding, finding_figure, finding_value },
	{ syscall_is_known, syscall_figure, syscall_value },
	{ NULL, NULL, NULL },
};

static const struct budget_subject ratio_subjects[] = {
	{ is_wall, no_figure, NULL },
	{ is_total, ratio_figure, NULL },
	{ syscall_is_known, ratio_figure, NULL },
	{ NULL, NULL, NULL },
};

/* What is said about the budgets of a run, and those of a comparison. */
struct grammar {
	const char *prefix; /* What the budget begins with. */
	const struct budget_subject *subjects;
	const char *shape;	      /* What has to follow the names. */
	const char *names;	      /* What the names have to be. */
	const char *unknown, *others; /* "there is no ...; there are also ..." */
	const char *has_no, *but;     /* "write has no ...'p98_ns', but ...calls" */
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
	enum unit unit;
	double factor;
} suffixes[] = {
	{ "", COUNT, 1 }, { "k", COUNT, 1e3 }, { "M", COUNT, 1e6 },  { "G", COUNT, 1e9 },
	{ "", BYTES, 1 }, { "k", BYTES, 1e3 }, { "M", BYTES, 1e6 },  { "G", BYTES, 1e9 },
	{ "", NS, 1 },	  { "ns", NS, 1 },     { "us", NS, 1e3 },    { "ms", NS, 1e6 },
	{ "s", NS, 1e9 }, { "", SHARE, 1 },    { "%", SHARE, 0.01 }, { "", RATIO, 1 },
};

enum { LESS = 1 << 0, EQUAL = 1 << 1, MORE = 1 << 2 };

/* The longer ones first. */
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
 * begins in *begin; NULL: there is none.
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

static struct subject_figure figure_of(const struct budget *b)
{
	return b->subject->figure(b->figure);
}

/* A number with a suffix of its unit up to the end. */
static int parse_limit(struct budget *b, const char *text, char *why, size_t size)
{
	static const char *const examples[] = {
		[COUNT] = "a number such as 1000 or 1k",
		[NS] = "a time such as 500ns, 20us, 3ms or 1s",
		[BYTES] = "a number of bytes such as 4096 or 1M",
		[SHARE] = "a share such as 0.2 or 20%; above 1 it needs a %"
	};
	enum unit unit = figure_of(b).unit;
	char message[120], *end;

	b->limit.value = strtod(text, &end);
	for (size_t i = 0; end != text && isfinite(b->limit.value) && i < ARRAY_SIZE(suffixes);
	     i++) {
		if (suffixes[i].unit != unit || strcmp(suffixes[i].text, end) != 0)
			continue;
		/* Threads beside each other may take more than the run; that is said in percent. */
		if (unit == SHARE && !*end && b->limit.value > 1)
			break;
		if (unit == RATIO && b->limit.value < 0)
			break;
		b->limit.value *= suffixes[i].factor;
		return 0;
	}
	if (unit == RATIO)
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

/* Parses "write.calls" up to the end. */
static int parse_names(struct budget *b, const struct grammar *g, const char *text, const char *end,
		       char *why, size_t size)
{
	const char *point = memchr(text, '.', (size_t)(end - text));
	const struct budget_subject *subject = g->subjects;
	bool has_figures;
	char message[200], figure[65] = "";

	snprintf(b->name, sizeof(b->name), "%.*s", (int)((point ? point : end) - text), text);
	while (subject->is && !subject->is(b->name))
		subject++;
	has_figures = !subject->is || subject->figure(0).key;
	if (has_figures != (point != NULL))
		return refuse(b, why, size, g->names);
	if (!subject->is) {
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

int budget_parse(struct budget *b, const char *text, char *why, size_t size)
{
	const struct grammar *g = is_ratio_budget(text) ? &of_ratio : &of_run;
	const char *names = text + strlen(g->prefix), *end, *number;
	int err;

	memset(b, 0, sizeof(*b));
	b->text = text;
	number = find_operator(&b->limit, text, &end);
	if (!number)
		return refuse(b, why, size, g->shape);
	while (end > names && end[-1] == ' ')
		end--;
	err = parse_names(b, g, names, end, why, size);
	if (err)
		return err;
	if (figure_of(b).unit == BYTES && b->subject->is == syscall_is_known &&
	    !syscall_traits_by_name(b->name).transfers)
		return refuse(b, why, size, "this syscall moves no bytes");
	return parse_limit(b, number, why, size);
}

bool budget_needs_files(const struct budget *b)
{
	return figure_of(b).needs & UNKNOWN_FILES;
}

bool budget_needs_times(const struct budget *b)
{
	return figure_of(b).needs & UNKNOWN_LATENCY;
}

bool budget_needs_cpu(const struct budget *b)
{
	return figure_of(b).needs & UNKNOWN_CPU;
}

const char *budget_syscall(const struct budget *b)
{
	return b->subject->is == syscall_is_known ? b->name : NULL;
}

/* ---- checking ---- */

static const char *format_value(char *buf, size_t size, enum unit unit, double value)
{
	uint64_t whole = rounded(value);

	switch (unit) {
	case NS:
		return format_ns(buf, size, whole);
	case SHARE:
		format_fixed(buf, size - 1, 100 * value, 2);
		return strcat(buf, "%");
	case COUNT:
	case BYTES:
	case RATIO:
		break;
	}
	snprintf(buf, size, "%" PRIu64, whole);
	return buf;
}

enum budget_result budget_check(const struct budget *b, const struct result *r, char *why,
				size_t size)
{
	struct subject_figure f = figure_of(b);
	enum known known = f.needs & r->profile->unknown ? NOT_MEASURED : KNOWN;
	char is[40], by[40];
	double value = 0;

	if (known == KNOWN)
		known = b->subject->value(b, r, &value);
	if (known == NOT_MEASURED) {
		snprintf(why, size, "the run did not measure what --fail-if '%.100s' is about",
			 b->text);
		return BUDGET_UNKNOWN;
	}
	if (known == NO_SUCH || !limit_is_broken(&b->limit, value))
		return BUDGET_KEPT;
	format_value(is, sizeof(is), f.unit, value);
	format_value(by, sizeof(by), f.unit, fabs(value - b->limit.value));
	if (value == b->limit.value)
		snprintf(why, size, "--fail-if '%.100s': it is %s", b->text, is);
	else
		snprintf(why, size, "--fail-if '%.100s': it is %s, %s %s", b->text, is, by,
			 value > b->limit.value ? "above" : "below");
	return BUDGET_BROKEN;
}
