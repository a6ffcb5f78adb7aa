/* SPDX-License-Identifier: GPL-2.0 */
/* A limit that a figure must not cross: one of > >= < <= == !=, and a number. */
#pragma once

#include <stdbool.h>

enum limit_operator {
	LIMIT_MORE,
	LIMIT_AT_LEAST,
	LIMIT_LESS,
	LIMIT_AT_MOST,
	LIMIT_EQUAL,
	LIMIT_UNEQUAL
};

struct limit {
	enum limit_operator is; /* what breaks it */
	double value;
};

/*
 * Finds the first operator of "write.calls>1000", and sets limit->is. Returns what follows it, with
 * the place where it begins in *begin; NULL: there is none.
 */
const char *limit_find_operator(struct limit *limit, const char *text, const char **begin);

bool limit_is_broken(const struct limit *limit, double value);
