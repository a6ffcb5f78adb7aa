// SPDX-License-Identifier: GPL-2.0
#include "model/budget.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/abi.h"
#include "model/compare.h"

static bool is_of_budget(const struct budget *b, const struct comparison_row *row)
{
	if (!budget_syscall(b) || row_is_total(row))
		return !budget_syscall(b) && row_is_total(row);
	return abi_word_names(b->name, row->abi, row->name);
}

/* Has the figure no value because there are no calls? */
static bool is_of_no_calls(const struct compared *calls, const struct compared *side)
{
	return calls && !side->spread.nr && calls->spread.mean == 0;
}

/* Checks one figure of all sides. calls: the calls that it is of. NULL: it is of none. */
static enum budget_result check(const struct budget *b, const struct compared *sides,
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
				"--fail-if '%.100s': A has made no such call, so that %c cannot be compared with it",
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

enum budget_result ratio_budget_check(const struct budget *b, const struct comparison *c, char *why,
				      size_t size)
{
	enum budget_result result = BUDGET_KEPT;

	if (!strcmp(b->name, "wall"))
		return check(b, comparison_walls(c), NULL, c->nr_sides, why, size);
	for (size_t i = 0; result == BUDGET_KEPT && i < c->nr_rows; i++)
		if (is_of_budget(b, &c->rows[i]))
			result = check(b, c->rows[i].cells[b->figure],
				       c->rows[i].cells[COMPARED_CALLS], c->nr_sides, why, size);
	return result;
}
