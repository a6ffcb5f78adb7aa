// SPDX-License-Identifier: GPL-2.0
#include "model/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/provenance.h"

/*
 * Takes a figure of a syscall in a run. Returns false if there is none. A syscall that was not
 * called has no calls, bytes, errors or time.
 */
static bool sample_of(double *sample, const struct syscall_stats *s, enum figure_id id)
{
	bool derived = figures[id].combine == COMBINE_NOT;

	*sample = s ? (double)figure_value(id, s) : 0;
	return !derived || (s && s->timed);
}

bool row_is_total(const struct comparison_row *row)
{
	return row->nr < 0;
}

/* Returns the row of a run; the total is added up in *sum. NULL: the run has no such row. */
static const struct syscall_stats *stats_of(const struct comparison_row *row,
					    const struct profile *p, struct syscall_stats *sum)
{
	if (!row_is_total(row))
		return profile_find_syscall(p, row->abi, row->nr);
	profile_sum(sum, p);
	return sum;
}

/*
 * Returns the spread of a figure over the runs of a side. It is not known of the side if one of the
 * runs did not measure it. There is room for a sample of each run.
 */
static struct spread spread_figure(const struct comparison_row *row, const struct side *side,
				   enum figure_id id, double *samples)
{
	struct syscall_stats sum;
	size_t nr = 0;

	for (size_t run = 0; run < side->nr_runs; run++) {
		const struct profile *p = side->runs[run];

		if (!figures_known_if(figures[id].needs, row->transfers, true, p->unknown))
			return spread_of(samples, 0);
		nr += sample_of(&samples[nr], stats_of(row, p, &sum), id);
	}
	return spread_of(samples, nr);
}

static int make_row(const struct comparison *c, struct comparison_row *row)
{
	for (size_t i = 0; i < c->nr_sides; i++) {
		const struct side *side = &c->sides[i];
		double *samples = reallocarray(NULL, side->nr_runs + 1, sizeof(*samples));

		if (!samples)
			return -ENOMEM;
		for (size_t f = 0; f < NR_COMPARED; f++)
			row->cells[f][i].spread =
				spread_figure(row, side, compared_figures[f], samples);
		free(samples);
	}
	for (size_t f = 0; f < NR_COMPARED; f++)
		compared_from_first(row->cells[f], c->nr_sides);
	return 0;
}

/* Adds a row for a syscall, unless it has one. Returns 0 or -ENOMEM. */
static int add_row(struct comparison *c, const struct syscall_stats *s)
{
	struct comparison_row *row;

	for (size_t i = 0; i < c->nr_rows; i++)
		if (c->rows[i].abi == s->abi && c->rows[i].nr == s->nr)
			return 0;
	row = array_append(&c->rows, &c->nr_rows, sizeof(*row));
	if (!row)
		return -ENOMEM;
	row->abi = s->abi;
	row->nr = s->nr;
	memcpy(row->name, s->name, sizeof(row->name));
	row->transfers = s->transfers;
	return 0;
}

static int add_total(struct comparison *c)
{
	struct comparison_row *row = array_append(&c->rows, &c->nr_rows, sizeof(*row));

	if (!row)
		return -ENOMEM;
	row->nr = -1;
	strcpy(row->name, "total");
	row->transfers = true;
	return make_row(c, row);
}

/* Sorts the rows of the longest time first, over all sides, then those of most calls. */
static int by_weight(const void *x, const void *y, void *comparison)
{
	static const enum compared_figure keys[] = { COMPARED_TIME, COMPARED_CALLS };
	const struct comparison_row *a = x, *b = y;
	const struct comparison *c = comparison;

	for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
		double sum_a = 0, sum_b = 0;

		for (size_t i = 0; i < c->nr_sides; i++) {
			sum_a += a->cells[keys[k]][i].spread.mean;
			sum_b += b->cells[keys[k]][i].spread.mean;
		}
		if (sum_a != sum_b)
			return sum_a < sum_b ? 1 : -1;
	}
	return strcmp(a->name, b->name);
}

static int make_rows(struct comparison *c)
{
	int err = 0;

	for (size_t i = 0; i < c->nr_sides; i++)
		for (size_t run = 0; run < c->sides[i].nr_runs; run++) {
			const struct profile *p = c->sides[i].runs[run];

			for (size_t s = 0; !err && s < p->nr_syscalls; s++)
				err = add_row(c, &p->syscalls[s]);
		}
	for (size_t i = 0; !err && i < c->nr_rows; i++)
		err = make_row(c, &c->rows[i]);
	if (!err && c->nr_rows)
		qsort_r(c->rows, c->nr_rows, sizeof(*c->rows), by_weight, c);
	return err ? err : add_total(c);
}

/* Do all runs know the wall time of the command? Otherwise they are compared by their windows. */
static bool knows_walls(const struct comparison *c)
{
	for (size_t i = 0; i < c->nr_sides; i++)
		for (size_t run = 0; run < c->sides[i].nr_runs; run++)
			if (!profile_provenance(c->sides[i].runs[run])->wall_ns)
				return false;
	return true;
}

static int make_walls_of(struct comparison *c, size_t i, bool known)
{
	const struct side *side = &c->sides[i];
	size_t most = side->nr_runs > side->nr_bare ? side->nr_runs : side->nr_bare;
	double *samples = reallocarray(NULL, most + 1, sizeof(*samples));

	if (!samples)
		return -ENOMEM;
	for (size_t run = 0; run < side->nr_bare; run++)
		samples[run] = (double)side->bare[run].ns;
	c->bare[i].spread = spread_of(samples, side->nr_bare);
	for (size_t run = 0; run < side->nr_runs; run++)
		samples[run] = (double)(known ? profile_provenance(side->runs[run])->wall_ns
					      : side->runs[run]->elapsed_ns);
	c->traced[i].spread = spread_of(samples, side->nr_runs);
	free(samples);
	return 0;
}

static int make_walls(struct comparison *c)
{
	bool known = knows_walls(c);
	int err = 0;

	for (size_t i = 0; !err && i < c->nr_sides; i++)
		err = make_walls_of(c, i, known);
	compared_from_first(c->bare, c->nr_sides);
	compared_from_first(c->traced, c->nr_sides);
	return err;
}

/* Counts a run if its command failed. Returns 0 or -ENOMEM. */
static int count_failure(struct side *side, int status, bool bare)
{
	struct failure *failure;
	size_t at = 0;

	if (!status || status == -1)
		return 0;
	while (at < side->nr_failures && side->failures[at].status != status)
		at++;
	if (at == side->nr_failures &&
	    !array_append(&side->failures, &side->nr_failures, sizeof(*failure)))
		return -ENOMEM;
	failure = &side->failures[at];
	failure->status = status;
	*(bare ? &failure->nr_bare : &failure->nr_runs) += 1;
	return 0;
}

static int count_failures(struct side *side)
{
	int err = 0;

	for (size_t i = 0; !err && i < side->nr_runs; i++)
		err = count_failure(side, profile_provenance(side->runs[i])->status, false);
	for (size_t i = 0; !err && i < side->nr_bare; i++)
		err = count_failure(side, side->bare[i].status, true);
	return err;
}

int comparison_make(struct comparison *c)
{
	int err = make_walls(c);

	for (size_t i = 0; !err && i < c->nr_sides; i++)
		err = count_failures(&c->sides[i]);
	if (!err)
		err = compared_sites_make(c);
	if (!err)
		err = compared_groups_make(c);
	return err ? err : make_rows(c);
}

bool comparison_has_bare(const struct comparison *c)
{
	for (size_t i = 0; i < c->nr_sides; i++)
		if (!c->sides[i].nr_bare)
			return false;
	return true;
}

const struct compared *comparison_walls(const struct comparison *c)
{
	return comparison_has_bare(c) ? c->bare : c->traced;
}

struct side *comparison_add_side(struct comparison *c, const char *name)
{
	char *copy = c->nr_sides < MAX_SIDES ? strdup(name) : NULL;
	struct side *side = NULL;

	if (copy)
		side = array_append(&c->sides, &c->nr_sides, sizeof(*side));
	if (side)
		side->name = copy;
	else
		free(copy);
	return side;
}

int side_rename(struct side *side, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return -ENOMEM;
	free(side->name);
	side->name = copy;
	return 0;
}

int side_add_run(struct side *side, const struct profile *run)
{
	const struct profile **added = array_append(&side->runs, &side->nr_runs, sizeof(*added));

	if (!added)
		return -ENOMEM;
	*added = run;
	return 0;
}

int side_add_bare(struct side *side, uint64_t ns, int status)
{
	struct bare_run *added = array_append(&side->bare, &side->nr_bare, sizeof(*added));

	if (!added)
		return -ENOMEM;
	*added = (struct bare_run){ ns, status };
	return 0;
}

void comparison_free(struct comparison *c)
{
	for (size_t i = 0; i < c->nr_sides; i++) {
		free(c->sides[i].name);
		free(c->sides[i].runs);
		free(c->sides[i].bare);
		free(c->sides[i].failures);
	}
	free(c->sides);
	for (size_t i = 0; i < c->nr_sites; i++)
		free(c->sites[i].group.frames);
	free(c->sites);
	compared_groups_free(c);
	free(c->rows);
	memset(c, 0, sizeof(*c));
}
