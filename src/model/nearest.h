/* SPDX-License-Identifier: GPL-2.0 */
/* Finds what a mistyped word may have meant. */
#pragma once

#include <stddef.h>

struct nearest {
	char word[64];
	const char *found; /* NULL: nothing is near */
	size_t distance;
};

/* A word of this length. */
struct nearest nearest_to(const char *word, size_t len);
/* Keeps the candidate if it is nearer than those before: it must live as long. */
void nearest_try(struct nearest *n, const char *candidate);
