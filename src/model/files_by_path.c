// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/figures.h"
#include "model/profile_files.h"
#include "model/slack.h"

/* Does the file have, or did it have, a name in a directory? */
static bool has_name(const struct file_stats *f)
{
	return f->kind == FILE_KIND_REGULAR || f->kind == FILE_KIND_DELETED;
}

/*
 * Returns what a row is about that may be one with others of its path: files, or looks that found
 * the same, given by a full path, or by one in a directory. 0: it stays by itself.
 */
static int sort_of(const struct file_stats *f)
{
	if (has_name(f))
		return -1;
	if (f->kind == FILE_KIND_FOUND)
		return -2;
	return f->kind == FILE_KIND_FAILED ? f->err : 0;
}

static bool same_path(const struct file_stats *a, const struct file_stats *b)
{
	return a->path && b->path && !strcmp(a->path, b->path) && sort_of(a) &&
	       sort_of(a) == sort_of(b) && !a->cut && !b->cut;
}

static int by_path(const void *x, const void *y)
{
	const struct file_stats *a = x, *b = y;
	int order = strcmp(a->path ? a->path : "", b->path ? b->path : "");

	if (!order)
		order = (sort_of(a) > sort_of(b)) - (sort_of(a) < sort_of(b));
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

/* Adds src's figures and users. If one of the two still exists, so does the file. */
static int merge_file(struct file_stats *dst, const struct file_stats *src)
{
	int err = 0;

	dst->inodes += src->inodes ? src->inodes : 1;
	dst->flags |= src->flags;
	dst->written_by |= src->written_by;
	if (!dst->size)
		dst->size = src->size;
	if (src->kind == FILE_KIND_REGULAR)
		dst->kind = FILE_KIND_REGULAR;
	for (size_t i = 0; !err && i < src->nr_calls; i++) {
		const struct file_call *c = &src->calls[i];
		struct file_call *sum = file_stats_call(dst, c->abi, c->nr);

		if (!sum)
			return -ENOMEM;
		memcpy(sum->name, c->name, sizeof(sum->name));
		sum->transfers = c->transfers;
		file_call_merge(sum, c);
	}
	for (size_t i = 0; !err && i < src->nr_sites; i++)
		err = sites_add(&dst->sites, &dst->nr_sites, &src->sites[i]);
	dst->more_users += src->more_users;
	for (size_t i = 0; !err && i < src->nr_users; i++)
		err = file_stats_merge_user(dst, &src->users[i]);
	if (!err)
		err = file_groups_append(&dst->groups, &dst->nr_groups, src->groups,
					 src->nr_groups);
	return err;
}

/* Sorts the users with most calls first. */
static int by_calls(const void *x, const void *y)
{
	const struct file_user *a = x, *b = y;

	if (a->calls != b->calls)
		return b->calls > a->calls ? 1 : -1;
	if (a->pid != b->pid)
		return a->pid > b->pid ? 1 : -1;
	return strcmp(a->comm, b->comm);
}

static int by_pid(const void *x, const void *y)
{
	const struct file_user *a = x, *b = y;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* Counts the processes, and sorts by them. An execve makes another user of the same process. */
static uint64_t count_processes(struct file_stats *f)
{
	uint64_t nr = f->more_users;

	if (f->nr_users)
		qsort(f->users, f->nr_users, sizeof(*f->users), by_pid);
	for (size_t i = 0; i < f->nr_users; i++)
		if (!i || f->users[i].pid != f->users[i - 1].pid || !f->users[i].pid)
			nr += f->users[i].processes;
	return nr;
}

/* Adds a file to the row before it, if that has its path, or as a row. Returns 0 or -ENOMEM. */
static int add_file(struct file_stats *rows, size_t *nr, const struct file_stats *file)
{
	struct file_stats *row = &rows[*nr];
	int err;

	if (*nr && same_path(row - 1, file))
		return merge_file(row - 1, file);
	err = file_stats_copy(row, file);
	if (err)
		return err;
	if (!row->inodes)
		row->inodes = 1;
	++*nr;
	return 0;
}

/* Fills in what follows from the calls of a row. */
static void add_up_calls(struct file_stats *row)
{
	row->busy_ns = row->total_calls = 0;
	for (size_t i = 0; i < row->nr_calls; i++) {
		row->busy_ns += figure_value_in(SCOPE_FILE, FIGURE_busy_ns, &row->calls[i]);
		row->total_calls += row->calls[i].calls;
	}
}

/* Fills in what follows from the users of a row, and sorts them. A capture says most of it. */
static void add_up_users(const struct profile *p, struct file_stats *row)
{
	if (p->nr_programs)
		row->busy = profile_busy_of_users(p, row);
	else if (p->to_ns && !busy_known(&row->busy))
		row->busy =
			p->busy; /* Its users are not known, and all are the most there can be. */
	if (!row->processes)
		row->processes = count_processes(row);
	if (row->nr_users)
		qsort(row->users, row->nr_users, sizeof(*row->users), by_calls);
	file_groups_sort(row->groups, &row->nr_groups);
	if (!row->language)
		row->language = profile_language_of_users(p, row);
	if (!row->logger)
		row->logger = profile_logger_of_users(p, row);
	row->by_threads |= profile_has_threads_on(p, row);
}

int files_by_path(const struct profile *p, struct file_stats **files, size_t *nr_files)
{
	struct file_stats *order = array_copy(p->files, p->nr_files, sizeof(*order));
	int err = 0;

	*files = reallocarray(NULL, p->nr_files + 1, sizeof(**files));
	*nr_files = 0;
	if (!order || !*files) {
		free(order);
		return -ENOMEM;
	}
	qsort(order, p->nr_files, sizeof(*order), by_path);
	for (size_t i = 0; !err && i < p->nr_files; i++)
		if (order[i].nr_calls) /* Without calls, its first one is in flight. */
			err = add_file(*files, nr_files, &order[i]);
	for (size_t i = 0; i < *nr_files; i++) {
		add_up_calls(&(*files)[i]);
		add_up_users(p, &(*files)[i]);
		sites_round((*files)[i].sites, (*files)[i].nr_sites);
	}
	if (!err)
		err = slack_of_files(p, *files, *nr_files);
	free(order);
	return err;
}

/* ---- the index ---- */

static int by_what(const struct file_stats *a, const struct file_stats *b)
{
	int order = strcmp(a->path ? a->path : "", b->path ? b->path : "");

	return order ? order : (sort_of(a) > sort_of(b)) - (sort_of(a) < sort_of(b));
}

static int by_listed_file(const void *x, const void *y)
{
	const struct file_stats *const *a = x, *const *b = y;
	int order = by_what(*a, *b);

	return order ? order : ((*a)->id > (*b)->id) - ((*a)->id < (*b)->id);
}

int files_index_make(struct files_index *index, const struct file_stats *files, size_t nr_files)
{
	index->nr = 0;
	index->list = calloc(nr_files + 1, sizeof(*index->list));
	if (!index->list)
		return -ENOMEM;
	for (; index->nr < nr_files; index->nr++)
		index->list[index->nr] = &files[index->nr];
	qsort(index->list, index->nr, sizeof(*index->list), by_listed_file);
	return 0;
}

const struct file_stats *files_index_find(const struct files_index *index,
					  const struct file_stats *row)
{
	size_t low = 0, high = index->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_what(index->list[middle], row) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < index->nr && !by_what(index->list[low], row); low++)
		if (index->list[low]->id == row->id || same_path(index->list[low], row))
			return index->list[low];
	return NULL;
}
