/* SPDX-License-Identifier: GPL-2.0 */
#ifndef IOTRACE_ARRAY_H
#define IOTRACE_ARRAY_H

#include <stdlib.h>
#include <string.h>

/* Makes room for an element at a place in an array of nr; the new one is zeroed. NULL without memory. */
static inline void *array_insert(void *array, size_t nr, size_t at, size_t size)
{
	char *grown = reallocarray(array, nr + 1, size);

	if (!grown)
		return NULL;
	memmove(grown + (at + 1) * size, grown + at * size, (nr - at) * size);
	memset(grown + at * size, 0, size);
	return grown;
}

/* A copy of an array, also of an empty one. NULL without memory. */
static inline void *array_copy(const void *array, size_t nr, size_t size)
{
	void *copy = reallocarray(NULL, nr ? nr : 1, size);

	if (copy && nr)
		memcpy(copy, array, nr * size);
	return copy;
}
#endif
