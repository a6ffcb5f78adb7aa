// SPDX-License-Identifier: GPL-2.0
#include "report/group_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/figures.h"

void group_rows_free(struct group_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		group_stats_free(&rows->list[i].all);
	free(rows->list);
}

const struct group_stats *group_row_calls(const struct group_row *row)
{
	return row->several ? &row->all : row->group;
}

/* What a row is sorted by: by name, the same of all; calls for what is not known. */
static uint64_t sort_key(enum column_id sort, const struct group_call *sum, unsigned unknown)
{
	if (sort == COLUMN_NONE || sort == COLUMN_NAME)
		return 0;
	if (columns[sort].figure != FIGURE_none && figures[columns[sort].figure].needs & unknown)
		return sum->calls;
	if (sort == COLUMN_AVG_BYTES)
		return sum->calls ? sum->bytes / sum->calls : 0;
	return figure_value_in(SCOPE_GROUP, columns[sort].figure, sum);
}

static unsigned key_of(const struct group_row *row, const struct profile *p)
{
	return p->by[1] && !row->several ? p->by[1] : p->by[0];
}

const char *group_row_name(char buf[GROUP_NAME_SIZE], const struct group_row *row,
			   const struct profile *p)
{
	return group_name(buf, row->group, key_of(row, p));
}

const char *group_row_id(char buf[GROUP_ID_SIZE], const struct group_row *row,
			 const struct profile *p)
{
	return group_id(buf, row->group, key_of(row, p));
}

struct order {
	const struct profile *profile;
	enum column_id sort;
};

static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct group_row *x = a, *y = b;
	const struct order *order = arg;
	char buf_x[GROUP_NAME_SIZE], buf_y[GROUP_NAME_SIZE];
	int names;

	if (x->key != y->key)
		return x->key < y->key ? 1 : -1;
	names = order->sort == COLUMN_NONE ? 0
					   : strcmp(group_row_name(buf_x, x, order->profile),
						    group_row_name(buf_y, y, order->profile));
	return names ? names : (x->group->id > y->group->id) - (x->group->id < y->group->id);
}

static void sort_rows(struct group_rows *rows, const struct profile *p, enum column_id sort)
{
	struct order order = { p, sort };

	for (size_t i = 0; i < rows->nr; i++) {
		struct group_row *row = &rows->list[i];

		group_stats_sum(&row->sum, group_row_calls(row));
		row->key = sort_key(sort, &row->sum, p->unknown);
	}
	if (rows->nr)
		qsort_r(rows->list, rows->nr, sizeof(*rows->list), compare_rows, &order);
}

static struct group_row *new_row(struct group_rows *rows, const struct group_stats *g, bool several)
{
	struct group_row *row = array_append(&rows->list, &rows->nr, sizeof(*row));

	if (row) {
		row->group = g;
		row->several = several;
	}
	return row;
}

/* Adds a group's calls to those of a row of several. 0 or -ENOMEM. */
static int add_group(struct group_row *row, const struct group_stats *g)
{
	int err = 0;

	for (size_t i = 0; i < g->nr_calls && !err; i++) {
		const struct group_call *c = &g->calls[i];
		struct group_call *sum = group_stats_call(&row->all, c->abi, c->nr);

		err = sum ? group_call_merge(sum, c) : -ENOMEM;
		if (sum)
			memcpy(sum->name, c->name, sizeof(sum->name));
	}
	return err;
}

static int make_rows(struct group_rows *rows, const struct profile *p,
		     const struct group_stats *parent)
{
	bool several = p->by[1] && !parent;
	size_t nr = 0;

	/* A group comes after the one that it has its parent's id from: that is the lowest. */
	for (size_t i = 0; i < p->nr_groups; i++) {
		const struct group_stats *g = &p->groups[i];
		uint32_t id = g->parent ? g->parent : g->id;
		struct group_row *row = NULL;

		if (parent && id != (parent->parent ? parent->parent : parent->id))
			continue;
		for (nr = rows->nr; several && nr-- > 0;)
			if (rows->list[nr].group->parent == g->parent)
				row = &rows->list[nr];
		if (!row)
			row = new_row(rows, g, several && g->parent);
		if (!row || (row->several && add_group(row, g)))
			return -ENOMEM;
	}
	return 0;
}

int group_rows_make(struct group_rows *rows, const struct profile *p,
		    const struct group_stats *parent, enum column_id sort)
{
	int err;

	memset(rows, 0, sizeof(*rows));
	err = make_rows(rows, p, parent);
	sort_rows(rows, p, sort);
	return err;
}
