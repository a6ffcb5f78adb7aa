/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include <stdlib.h>
#include <string.h>

/* The number of elements of an array that is no pointer. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Adds a zeroed element at a place of an array of *nr; array is the address of the pointer to it.
 * Returns the element; NULL, with nothing changed, without memory.
 */
static inline void *array_insert(void *array, size_t *nr, size_t at, size_t size)
{
	char *old, *grown;

	memcpy(&old, array, sizeof(old));
	grown = reallocarray(old, *nr + 1, size);
	if (!grown)
		return NULL;
	memcpy(array, &grown, sizeof(grown));
	memmove(grown + (at + 1) * size, grown + at * size, ((*nr)++ - at) * size);
	return memset(grown + at * size, 0, size);
}

static inline void *array_append(void *array, size_t *nr, size_t size)
{
	return array_insert(array, nr, *nr, size);
}

/* Copies an array, which may be empty. NULL without memory. */
static inline void *array_copy(const void *array, size_t nr, size_t size)
{
	void *copy = reallocarray(NULL, nr ? nr : 1, size);

	if (copy && nr)
		memcpy(copy, array, nr * size);
	return copy;
}
