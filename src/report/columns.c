// SPDX-License-Identifier: GPL-2.0
#include "report/columns.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

/*
 * The seconds as strace computes them: any other conversion to double would show in the percentages
 * and in the truncated usecs/call.
 */
static double seconds(uint64_t ns)
{
	return (double)(ns / 1000000000) + (double)(ns % 1000000000) / 1000000000.0;
}

/* The mean in 1/1024 bytes, to sort means that differ by less than a byte. */
static uint64_t avg_bytes(const struct syscall_stats *row)
{
	uint64_t whole, rest;

	if (!row->calls)
		return 0;
	whole = row->bytes / row->calls;
	rest = row->bytes % row->calls;
	if (whole >= UINT64_MAX >> 10)
		return UINT64_MAX;
	return whole * 1024 + (uint64_t)((double)rest / (double)row->calls * 1024);
}

/* The mean in 1/1024 ns, to sort means that differ by less than a nanosecond. */
static uint64_t busy_avg(const struct syscall_stats *row)
{
	return row->timed ? (uint64_t)((double)figure_value(FIGURE_busy_ns, row) /
				       (double)row->timed * 1024)
			  : 0;
}

/* Each format function prints one kind of cell, and takes the figure from the column. */
#define FORMAT(name)                                                                             \
	static void name(char *buf, size_t size, const struct column *c __attribute__((unused)), \
			 const struct syscall_stats *row,                                        \
			 const struct column_sums *sums __attribute__((unused)))

FORMAT(format_percent)
{
	double percent = 100.0 * seconds(figure_value(c->figure, row));

	if (row == &sums->total)
		percent = 100;
	else if (percent != 0) /* The sum is not 0, either. */
		percent /= seconds(figure_value(c->figure, &sums->total));
	format_fixed(buf, size, percent, 2);
}

FORMAT(format_seconds)
{
	format_fixed(buf, size, seconds(figure_value(c->figure, row)), 6);
}

/* Truncates, as strace does: in a row the mean rounded to ns, in the total row the exact mean. */
FORMAT(format_avg)
{
	double mean = seconds(figure_value(c->figure, row));
	uint64_t total_ns = c->figure == FIGURE_cpu_mean_ns ? row->cpu_ns : row->total_ns;

	if (row == &sums->total)
		mean = seconds(total_ns) / (double)row->timed;
	snprintf(buf, size, "%" PRIu64, (uint64_t)(mean * 1e6));
}

/* Prints the busy time by all timed calls, in microseconds, truncated as the other means are. */
FORMAT(format_busy_avg)
{
	snprintf(buf, size, "%" PRIu64,
		 row->timed ? figure_value(c->figure, row) / row->timed / 1000 : 0);
}

FORMAT(format_count)
{
	snprintf(buf, size, "%" PRIu64, figure_value(c->figure, row));
}

/* Prints nothing for 0. */
FORMAT(format_some)
{
	snprintf(buf, size, "%.0" PRIu64, figure_value(c->figure, row));
}

/* The name may come from a file. */
FORMAT(format_name)
{
	escape_text(buf, size, row->name, strnlen(row->name, sizeof(row->name)));
}

FORMAT(format_usecs)
{
	uint64_t ns = figure_value(c->figure, row);

	snprintf(buf, size, "%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
}

/*
 * Prints the mean of a row; in the total row that of the calls that transfer, as a close() does not
 * make writes any smaller.
 */
FORMAT(format_avg_bytes)
{
	uint64_t calls = row == &sums->total ? sums->transfer_calls : row->calls;

	format_fixed(buf, size, (double)figure_value(c->figure, row) / (double)calls, 1);
}

FORMAT(format_per_second)
{
	double rate = rate_value(c->rate, SCOPE_SYSCALL, row, sums->elapsed_ns);

	if (isfinite(rate))
		format_fixed(buf, size, rate, 2);
	else
		strcpy(buf, "-");
}

static unsigned seconds_width(const struct column *c, const struct syscall_stats *row)
{
	char buf[32];

	return (unsigned)snprintf(buf, sizeof(buf), "%" PRIu64 ".000000",
				  figure_value(c->figure, row) / 1000000000);
}

/* strace leaves a blank after the longest name. */
static unsigned name_width(const struct column *c, const struct syscall_stats *row)
{
	char buf[CELL_SIZE];

	format_name(buf, sizeof(buf), c, row, NULL);
	return (unsigned)strlen(buf) + 1;
}

#define COLUMN(id, name_, heading_, width_, figure_, format_, ...) \
	[COLUMN_##id] = { .name = name_,                           \
			  .heading = heading_,                     \
			  .width = width_,                         \
			  .figure = FIGURE_##figure_,              \
			  .format = format_,                       \
			  ##__VA_ARGS__ },

/* clang-format off */
const struct column columns[NR_COLUMNS] = {
	COLUMN(NONE, "none", NULL, 0, none, NULL)
	COLUMN(TIME_PERCENT, "time-percent", "% time", 6, total_ns, format_percent)
	COLUMN(TOTAL_TIME, "total-time", "seconds", 11, total_ns, format_seconds)
	COLUMN(MIN_TIME, "min-time", "shortest", 8, min_ns, format_seconds,
	       .measure = seconds_width)
	COLUMN(MAX_TIME, "max-time", "longest", 7, max_ns, format_seconds,
	       .measure = seconds_width)
	COLUMN(AVG_TIME, "avg-time", "usecs/call", 11, mean_ns, format_avg)
	COLUMN(CALLS, "calls", "calls", 9, calls, format_count)
	COLUMN(ERRORS, "errors", "errors", 9, errors, format_some)
	COLUMN(NAME, "name", "syscall", 16, none, format_name, .left = true, .measure = name_width)
	COLUMN(P50, "p50", "p50 usecs", 11, p50_ns, format_usecs)
	COLUMN(P90, "p90", "p90 usecs", 11, p90_ns, format_usecs)
	COLUMN(P99, "p99", "p99 usecs", 11, p99_ns, format_usecs)
	COLUMN(P999, "p999", "p99.9 usecs", 11, p999_ns, format_usecs)
	COLUMN(BYTES, "bytes", "bytes", 11, bytes, format_count)
	COLUMN(AVG_BYTES, "avg-bytes", "bytes/call", 11, bytes, format_avg_bytes, .key = avg_bytes)
	COLUMN(WAITS, "waits", "waits", 9, waits, format_some)
	COLUMN(WAIT_TIME, "wait-time", "waiting s", 11, wait_ns, format_seconds)
	COLUMN(RUN_TIME, "run-time", "running s", 11, run_ns, format_seconds)
	COLUMN(IDLE_TIME, "idle-time", "idle s", 11, idle_ns, format_seconds)
	COLUMN(BUSY_PERCENT, "busy-percent", "% busy", 6, busy_ns, format_percent)
	COLUMN(BUSY_TIME, "busy-time", "busy s", 11, busy_ns, format_seconds)
	COLUMN(BUSY_AVG, "busy-avg", "busy us/call", 12, busy_ns, format_busy_avg, .key = busy_avg)
	COLUMN(PREEMPTED, "preempted", "preempted", 9, preempted, format_some)
	COLUMN(CPU_TIME, "cpu-time", "CPU s", 11, cpu_ns, format_seconds)
	COLUMN(ESTIMATED, "estimated", "estimated", 9, estimated, format_some)
	COLUMN(TOTAL_ERROR, "total-error", "+- seconds", 11, error_of_total_ns, format_seconds)
	COLUMN(CPU_AVG, "cpu-avg", "CPU us/call", 11, cpu_mean_ns, format_avg)
	COLUMN(RATE, "rate", "calls/s", 11, calls, format_per_second, .rate = RATE_CALLS)
	COLUMN(ERRORS_RATE, "errors-rate", "errors/s", 11, errors, format_per_second,
	       .rate = RATE_ERRORS)
	COLUMN(BYTES_RATE, "bytes-rate", "bytes/s", 11, bytes, format_per_second,
	       .rate = RATE_BYTES)
};

/*
 * Other names of the columns. strace has most of them, the wall ones since May 2026: times are
 * always wall-clock here.
 */
static const struct {
	const char *name;
	enum column_id id;
} aliases[] = {
	{ "time",         COLUMN_TIME_PERCENT },
	{ "time-total",   COLUMN_TOTAL_TIME },   { "wall-total",   COLUMN_TOTAL_TIME },
	{ "shortest",     COLUMN_MIN_TIME },     { "time-min",     COLUMN_MIN_TIME },
	{ "wall-min",     COLUMN_MIN_TIME },
	{ "longest",      COLUMN_MAX_TIME },     { "time-max",     COLUMN_MAX_TIME },
	{ "wall-max",     COLUMN_MAX_TIME },
	{ "time-avg",     COLUMN_AVG_TIME },     { "wall-avg",     COLUMN_AVG_TIME },
	{ "count",        COLUMN_CALLS },
	{ "error",        COLUMN_ERRORS },
	{ "syscall",      COLUMN_NAME },         { "syscall-name", COLUMN_NAME },
	{ "median",       COLUMN_P50 },
	{ "p99.9",        COLUMN_P999 },
	{ "bytes-avg",    COLUMN_AVG_BYTES },
	{ "time-wait",    COLUMN_WAIT_TIME },
	{ "time-run",     COLUMN_RUN_TIME },
	{ "time-idle",    COLUMN_IDLE_TIME },
	{ "busy",         COLUMN_BUSY_PERCENT },
	{ "time-busy",    COLUMN_BUSY_TIME },
	{ "avg-busy",     COLUMN_BUSY_AVG },
	{ "time-cpu",     COLUMN_CPU_TIME },
	{ "avg-cpu",      COLUMN_CPU_AVG },
	{ "calls-rate",   COLUMN_RATE },
	{ "nothing",      COLUMN_NONE },
};
/* clang-format on */

/* strace has each of its names with dashes and with underlines. */
static bool same_word(const char *known, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (known[i] != (word[i] == '_' ? '-' : word[i]))
			return false;
	}
	return !known[len];
}

/* Returns the column of a name; NR_COLUMNS: there is none. */
static enum column_id column_by_name(const char *name, size_t len)
{
	for (enum column_id id = 0; id < NR_COLUMNS; id++)
		if (same_word(columns[id].name, name, len))
			return id;
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (same_word(aliases[i].name, name, len))
			return aliases[i].id;
	return NR_COLUMNS;
}

const char *column_name(size_t i)
{
	return COLUMN_NONE + 1 + i < NR_COLUMNS ? columns[COLUMN_NONE + 1 + i].name : NULL;
}

/* Names a bad word, and the columns there are. Returns -EINVAL. */
static int bad_name(char *err, size_t err_size, const char *wrong, const char *word, size_t len)
{
	int used = snprintf(err, err_size, "%s: '%.*s'; columns are", wrong,
			    (int)(len < 80 ? len : 80), word);

	for (size_t i = 0; column_name(i) && used >= 0 && (size_t)used < err_size; i++)
		used += snprintf(err + used, err_size - used, "%s %s", i ? "," : "",
				 column_name(i));
	return -EINVAL;
}

int column_parse_sort(enum column_id *sort, const char *arg, char *err, size_t err_size)
{
	enum column_id id = column_by_name(arg, strlen(arg));

	if (id == NR_COLUMNS)
		return bad_name(err, err_size, "invalid sortby", arg, strlen(arg));
	*sort = id;
	return 0;
}

int column_parse_list(enum column_id *list, size_t *nr_columns, const char *arg, char *err,
		      size_t err_size)
{
	bool given[NR_COLUMNS] = { false };
	size_t nr = 0;

	for (;; arg++) {
		size_t len = strcspn(arg, ",");
		enum column_id id = column_by_name(arg, len);
		bool known = id != COLUMN_NONE && id != NR_COLUMNS;

		if (!known)
			return bad_name(err, err_size, "unknown column name", arg, len);
		if (given[id]) {
			snprintf(err, err_size, "column given more than once: '%.*s'",
				 (int)(len < 80 ? len : 80), arg);
			return -EINVAL;
		}
		given[id] = true;
		list[nr++] = id;
		arg += len;
		if (!*arg)
			break;
	}
	if (!given[COLUMN_NAME])
		list[nr++] = COLUMN_NAME;
	*nr_columns = nr;
	return 0;
}

/* Does the figure differ from 0 in any row? */
static bool any_has(const struct profile *p, enum figure_id figure)
{
	for (size_t i = 0; i < p->nr_syscalls; i++)
		if (figure_known(figure, &p->syscalls[i], p->unknown) &&
		    figure_value(figure, &p->syscalls[i]))
			return true;
	return false;
}

void column_default_list(enum column_id *list, size_t *nr_columns, const struct profile *p,
			 bool wall)
{
	static const enum column_id straces[] = { COLUMN_TIME_PERCENT, COLUMN_TOTAL_TIME,
						  COLUMN_AVG_TIME, COLUMN_CALLS, COLUMN_ERRORS };
	static const enum column_id busy[] = { COLUMN_BUSY_PERCENT, COLUMN_BUSY_TIME,
					       COLUMN_BUSY_AVG };
	static const enum column_id own[] = { COLUMN_WAITS, COLUMN_CPU_TIME, COLUMN_TOTAL_ERROR };
	size_t nr = ARRAY_SIZE(straces);

	memcpy(list, straces, sizeof(straces));
	if (p && !wall && profile_has_idle(p))
		memcpy(list, busy, sizeof(busy));
	for (size_t i = 0; p && i < ARRAY_SIZE(own); i++)
		if (any_has(p, columns[own[i]].figure))
			list[nr++] = own[i];
	list[nr++] = COLUMN_NAME;
	*nr_columns = nr;
}

void column_sums(struct column_sums *sums, const struct syscall_stats *const *rows, size_t nr_rows,
		 const struct profile *p)
{
	struct syscall_stats *total = &sums->total;

	memset(sums, 0, sizeof(*sums));
	sums->unknown = p->unknown;
	sums->elapsed_ns = p->elapsed_ns;
	strcpy(total->name, "total");
	for (size_t i = 0; i < nr_rows; i++) {
		figures_add(SCOPE_SYSCALL, total, rows[i]);
		if (rows[i]->transfers) {
			total->transfers = true;
			sums->transfer_calls += rows[i]->calls;
		}
	}
}

static bool cell_known(const struct column *c, const struct syscall_stats *row,
		       const struct column_sums *sums)
{
	return c->figure == FIGURE_none || figure_known(c->figure, row, sums->unknown);
}

const char *column_cell(char *buf, enum column_id id, const struct syscall_stats *row,
			const struct column_sums *sums)
{
	const struct column *c = &columns[id];

	if (cell_known(c, row, sums))
		c->format(buf, CELL_SIZE, c, row, sums);
	else
		strcpy(buf, "-");
	return buf;
}

static unsigned cell_width(enum column_id id, const struct syscall_stats *row,
			   const struct column_sums *sums)
{
	char buf[CELL_SIZE];

	if (columns[id].measure && cell_known(&columns[id], row, sums))
		return columns[id].measure(&columns[id], row);
	return (unsigned)strlen(column_cell(buf, id, row, sums));
}

unsigned column_width(enum column_id id, const struct syscall_stats *const *rows, size_t nr_rows,
		      const struct column_sums *sums)
{
	unsigned width = columns[id].width, cell;

	for (size_t i = 0; i <= nr_rows; i++) {
		cell = cell_width(id, i < nr_rows ? rows[i] : &sums->total, sums);
		if (cell > width)
			width = cell;
	}
	return width;
}

/* A row and its sort key, which is computed once. */
struct sorted_row {
	const struct syscall_stats *row;
	uint64_t key;
};

static uint64_t sort_key(enum column_id sort, const struct syscall_stats *row)
{
	const struct column *c = &columns[sort];

	if (sort == COLUMN_NONE || sort == COLUMN_NAME)
		return 0;
	return c->key ? c->key(row) : figure_value(c->figure, row);
}

static int by_number(const struct syscall_stats *a, const struct syscall_stats *b)
{
	if (a->abi != b->abi)
		return a->abi < b->abi ? -1 : 1;
	return (a->nr > b->nr) - (a->nr < b->nr);
}

static int by_key(const void *left, const void *right)
{
	const struct sorted_row *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? 1 : -1;
	return by_number(a->row, b->row);
}

static int by_name(const void *left, const void *right)
{
	const struct syscall_stats *a = ((const struct sorted_row *)left)->row;
	const struct syscall_stats *b = ((const struct sorted_row *)right)->row;
	int order = strncmp(a->name, b->name, sizeof(a->name));

	return order ? order : by_number(a, b);
}

int column_sort(const struct syscall_stats **rows, size_t nr_rows, enum column_id sort)
{
	struct sorted_row *sorted = reallocarray(NULL, nr_rows + 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < nr_rows; i++)
		sorted[i] = (struct sorted_row){ rows[i], sort_key(sort, rows[i]) };
	qsort(sorted, nr_rows, sizeof(*sorted), sort == COLUMN_NAME ? by_name : by_key);
	for (size_t i = 0; i < nr_rows; i++)
		rows[i] = sorted[i].row;
	free(sorted);
	return 0;
}
