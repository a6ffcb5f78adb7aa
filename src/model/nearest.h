/* SPDX-License-Identifier: GPL-2.0 */
/* The known word that is nearest to a mistyped one. */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct nearest {
	const char *word;
	size_t distance; /* Distance of what was found; at first, nothing as far away is near. */
	char found[64];	 /* "": nothing is near. */
};

/* Nothing that differs in more than a third of the letters is near. */
static inline struct nearest nearest_to(const char *word)
{
	return (struct nearest){ .word = word, .distance = strlen(word) / 3 + 1 };
}

/* Keeps the candidate if it is nearer than those before. */
static inline void nearest_try(struct nearest *n, const char *candidate, size_t distance)
{
	if (distance >= n->distance)
		return;
	n->distance = distance;
	snprintf(n->found, sizeof(n->found), "%s", candidate);
}
