// SPDX-License-Identifier: GPL-2.0
#include "model/nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

struct nearest nearest_to(const char *word, size_t len)
{
	struct nearest n = { .found = NULL };

	snprintf(n.word, sizeof(n.word), "%.*s", (int)(len < sizeof(n.word) ? len : 0), word);
	/* Nothing that differs in more than a third of the letters is near. */
	n.distance = strlen(n.word) / 3 + 1;
	return n;
}

void nearest_try(struct nearest *n, const char *candidate)
{
	size_t len = strlen(n->word);
	/* "p99_ns" without its unit is the figure itself. */
	bool begins = len > 1 && !strncmp(candidate, n->word, len) && candidate[len] == '_';
	size_t distance = begins ? 0 : edit_distance(n->word, candidate);

	if (distance >= n->distance)
		return;
	n->distance = distance;
	n->found = candidate;
}
