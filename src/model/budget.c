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
#include "model/budget_subjects.h"
#include "model/nearest.h"

/* ---- parsing ---- */

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
	.subjects = budget_subjects,
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
	int unit = budget_figure(b).unit;
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

	for (b->figure = 0; budget_figure(b).key; b->figure++) {
		const char *key = budget_figure(b).key;
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
	if (!err && b->key && !budget_is_of_calls(b))
		err = refuse(b, why, size, "groups have the figures of syscalls and of total");
	if (err)
		return err;
	if (budget_figure(b).needs & UNKNOWN_BYTES && budget_syscall(b) && !moves_bytes(b->name))
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
	struct subject_figure f = budget_figure(b);
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
