// SPDX-License-Identifier: GPL-2.0
/* The groups (--by) that make the calls on a file. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/files.h"

int file_groups_append(struct file_group **groups, size_t *nr, const struct file_group *added,
		       size_t nr_added)
{
	for (size_t i = 0; i < nr_added; i++) {
		struct file_group *group = array_append(groups, nr, sizeof(*group));

		if (!group)
			return -ENOMEM;
		*group = added[i];
	}
	return 0;
}

static int by_id(const void *x, const void *y)
{
	const struct file_group *a = x, *b = y;

	return (a->id > b->id) - (a->id < b->id);
}

static int by_calls(const void *x, const void *y)
{
	const struct file_group *a = x, *b = y;

	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return by_id(x, y);
}

void file_groups_sort(struct file_group *groups, size_t *nr)
{
	size_t nr_ids = 0;

	if (!*nr)
		return;
	qsort(groups, *nr, sizeof(*groups), by_id);
	for (size_t i = 0; i < *nr; i++) {
		if (nr_ids && groups[nr_ids - 1].id == groups[i].id)
			groups[nr_ids - 1].calls += groups[i].calls;
		else
			groups[nr_ids++] = groups[i];
	}
	*nr = nr_ids;
	qsort(groups, nr_ids, sizeof(*groups), by_calls);
}
