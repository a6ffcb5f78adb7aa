// SPDX-License-Identifier: GPL-2.0
/* Files that one program uses in the same way: the logs in a directory, the parts of a queue. */
#include <stdlib.h>
#include <string.h>

#include "model/rules/rule.h"

struct entry {
	const struct file_stats *file;
	size_t directory_len;
	struct alike *alike;
};

/* Orders files by what makes them alike. A file without users is like no other. */
static int by_group(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	const struct file_stats *f = a->file, *g = b->file;

	if (f->kind != g->kind)
		return f->kind > g->kind ? 1 : -1;
	if (!f->nr_users || !g->nr_users)
		return (f > g) - (f < g);
	if (f->users[0].pid != g->users[0].pid)
		return f->users[0].pid > g->users[0].pid ? 1 : -1;
	if (a->directory_len != b->directory_len)
		return a->directory_len > b->directory_len ? 1 : -1;
	return memcmp(f->path, g->path, a->directory_len);
}

static size_t directory_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : strlen(path);
}

static void add_up(struct entry *group, size_t nr)
{
	struct alike sum = { 0 };
	struct file_call calls;

	for (size_t i = 0; i < nr; i++) {
		file_stats_sum(&calls, group[i].file, ACTION_OPENS);
		sum.opens += calls.calls - calls.errors;
		file_stats_sum(&calls, group[i].file, ACTION_SYNCS);
		sum.syncs += calls.calls - calls.errors;
		if (group[i].file->kind == FILE_KIND_FOUND)
			sum.looks += group[i].file->total_calls;
	}
	for (size_t i = 0; i < nr; i++) {
		*group[i].alike = sum;
		group[i].alike->first = !i;
	}
}

struct alike *rule_find_alike(const struct file_stats *files, size_t nr_files)
{
	struct entry *list = calloc(nr_files + 1, sizeof(*list));
	struct alike *alike = calloc(nr_files + 1, sizeof(*alike));
	size_t first = 0;

	if (!list || !alike) {
		free(list);
		free(alike);
		return NULL;
	}
	for (size_t i = 0; i < nr_files; i++)
		list[i] = (struct entry){ &files[i], directory_len(files[i].path), &alike[i] };
	qsort(list, nr_files, sizeof(*list), by_group);
	for (size_t i = 1; i <= nr_files; i++) {
		if (i < nr_files && !by_group(&list[first], &list[i]))
			continue;
		add_up(list + first, i - first);
		first = i;
	}
	free(list);
	return alike;
}
