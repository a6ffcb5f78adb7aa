// SPDX-License-Identifier: GPL-2.0
#include "model/ratio_budget.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/abi.h"
#include "model/nearest.h"
#include "model/syscalls.h"

static const char prefix[] = "ratio.";

bool is_ratio_budget(const char *text)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static int refuse(const struct ratio_budget *b, char *why, size_t size, const char *what)
{
	snprintf(why, size, "invalid --fail-if '%.100s': %s", b->text, what);
	return -EINVAL;
}

bool ratio_budget_is_wall(const struct ratio_budget *b)
{
	return !strcmp(b->name, "wall");
}

static bool is_of_all(const struct ratio_budget *b)
{
	return !strcmp(b->name, "total");
}

const char *ratio_budget_syscall(const struct ratio_budget *b)
{
	return ratio_budget_is_wall(b) || is_of_all(b) ? NULL : b->name;
}

static int parse_figure(struct ratio_budget *b, const char *key, size_t len, char *why, size_t size)
{
	struct nearest near = nearest_to(key, len);
	char known[100] = "", message[250];

	for (int i = 0; i < NR_COMPARED; i++) {
		const char *candidate = figures[compared_figures[i]].key;
		size_t used = strlen(known);

		b->figure = (enum compared_figure)i;
		if (strlen(candidate) == len && !memcmp(candidate, key, len))
			return 0;
		nearest_try(&near, candidate);
		snprintf(known + used, sizeof(known) - used, "%s%s", used ? ", " : "", candidate);
	}
	if (near.found)
		snprintf(message, sizeof(message),
			 "%.64s has no ratio of '%s': did you mean 'ratio.%.64s.%s'?", b->name,
			 near.word, b->name, near.found);
	else
		snprintf(message, sizeof(message), "%.64s has no ratio of '%.*s', but of %s",
			 b->name, (int)(len < 30 ? len : 30), key, known);
	return refuse(b, why, size, message);
}

/* "write.calls", of this length. */
static int parse_subject(struct ratio_budget *b, const char *text, size_t len, char *why,
			 size_t size)
{
	const char *point = memchr(text, '.', len);
	size_t name_len = point ? (size_t)(point - text) : len;
	char message[200];

	snprintf(b->name, sizeof(b->name), "%.*s", (int)name_len, text);
	if (ratio_budget_is_wall(b) && !point)
		return 0;
	if (ratio_budget_is_wall(b) || !point)
		return refuse(b, why, size,
			      "a ratio is ratio.wall, ratio.SYSCALL.FIGURE or ratio.total.FIGURE");
	if (!is_of_all(b) && !syscall_is_known(b->name)) {
		snprintf(message, sizeof(message),
			 "there is no syscall '%s'; there are also wall and total", b->name);
		return refuse(b, why, size, message);
	}
	return parse_figure(b, point + 1, len - name_len - 1, why, size);
}

int ratio_budget_parse(struct ratio_budget *b, const char *text, char *why, size_t size)
{
	const char *subject = text + strlen(prefix), *end, *number;
	char *rest;
	int err;

	memset(b, 0, sizeof(*b));
	b->text = text;
	number = limit_find_operator(&b->limit, text, &end);
	if (!number)
		return refuse(b, why, size,
			      "it must be one of > >= < <= == != and a number after the ratio, "
			      "such as 'ratio.write.calls>1.1'");
	while (end > subject && end[-1] == ' ')
		end--;
	err = parse_subject(b, subject, end > subject ? (size_t)(end - subject) : 0, why, size);
	if (err)
		return err;
	b->limit.value = strtod(number, &rest);
	if (rest == number || *rest || !(b->limit.value >= 0) || !isfinite(b->limit.value))
		return refuse(b, why, size, "a ratio is compared with a number such as 1.1");
	return 0;
}

static bool is_of_budget(const struct ratio_budget *b, const struct comparison_row *row)
{
	size_t len;
	enum iotrace_abi abi = abi_of_word(b->name, &len);

	if (is_of_all(b) || row_is_total(row))
		return is_of_all(b) && row_is_total(row);
	return strlen(row->name) == len && !memcmp(row->name, b->name, len) &&
	       (abi == NR_ABIS || abi == row->abi);
}

/* Has the figure no value because there are no calls? */
static bool is_of_no_calls(const struct compared *calls, const struct compared *side)
{
	return calls && !side->spread.nr && calls->spread.mean == 0;
}

/* Checks one figure of all sides; calls: those that it is of, NULL: it is of none. */
static enum budget_result check(const struct ratio_budget *b, const struct compared *sides,
				const struct compared *calls, size_t nr_sides, char *why,
				size_t size)
{
	char is[40];

	for (size_t i = 1; i < nr_sides; i++) {
		const struct difference *d = &sides[i].difference;

		/* Without calls there is nothing to exceed. */
		if (is_of_no_calls(calls ? &calls[i] : NULL, &sides[i]))
			continue;
		if (is_of_no_calls(calls, &sides[0])) {
			snprintf(
				why, size,
				"--fail-if '%.100s': A has made no such call, so that %c cannot be "
				"compared with it",
				b->text, side_letter(i));
			return BUDGET_UNKNOWN;
		}
		if (!sides[0].spread.nr || !sides[i].spread.nr) {
			snprintf(why, size,
				 "the runs did not measure what --fail-if '%.100s' is about",
				 b->text);
			return BUDGET_UNKNOWN;
		}
		if (isnan(d->ratio) || !limit_is_broken(&b->limit, d->ratio))
			continue;
		snprintf(why, size, "--fail-if '%.100s': it is %s for %c (%s)", b->text,
			 isinf(d->ratio) ? "infinite" : format_fixed(is, sizeof(is), d->ratio, 4),
			 side_letter(i), difference_name(d->kind));
		return BUDGET_BROKEN;
	}
	return BUDGET_KEPT;
}

enum budget_result ratio_budget_check(const struct ratio_budget *b, const struct comparison *c,
				      char *why, size_t size)
{
	enum budget_result result = BUDGET_KEPT;

	if (ratio_budget_is_wall(b))
		return check(b, comparison_walls(c), NULL, c->nr_sides, why, size);
	for (size_t i = 0; result == BUDGET_KEPT && i < c->nr_rows; i++)
		if (is_of_budget(b, &c->rows[i]))
			result = check(b, c->rows[i].cells[b->figure],
				       c->rows[i].cells[COMPARED_CALLS], c->nr_sides, why, size);
	return result;
}
