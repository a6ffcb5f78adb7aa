/* SPDX-License-Identifier: GPL-2.0 */
/* Checks the budgets of a comparison, which budget.h parses. */
#pragma once

#include "model/budget.h"
#include "model/compare.h"

/* As budget_check(); a ratio of nothing to nothing keeps every budget. */
enum budget_result ratio_budget_check(const struct budget *b, const struct comparison *c, char *why,
				      size_t size);
