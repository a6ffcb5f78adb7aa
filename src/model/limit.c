// SPDX-License-Identifier: GPL-2.0
#include "model/limit.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"

/* The longer ones first. */
static const struct {
	const char *text;
	enum limit_operator is;
} operators[] = {
	{ ">=", LIMIT_AT_LEAST }, { "<=", LIMIT_AT_MOST }, { "==", LIMIT_EQUAL },
	{ "!=", LIMIT_UNEQUAL },  { ">", LIMIT_MORE },	   { "<", LIMIT_LESS },
};

const char *limit_find_operator(struct limit *limit, const char *text, const char **begin)
{
	text += strcspn(text, "<>=!");
	*begin = text;
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		size_t len = strlen(operators[i].text);

		if (strncmp(text, operators[i].text, len) != 0)
			continue;
		limit->is = operators[i].is;
		return text + len;
	}
	return NULL;
}

bool limit_is_broken(const struct limit *limit, double value)
{
	switch (limit->is) {
	case LIMIT_MORE:
		return value > limit->value;
	case LIMIT_AT_LEAST:
		return value >= limit->value;
	case LIMIT_LESS:
		return value < limit->value;
	case LIMIT_AT_MOST:
		return value <= limit->value;
	case LIMIT_EQUAL:
		return value == limit->value;
	case LIMIT_UNEQUAL:
		return value != limit->value;
	}
	return false;
}
