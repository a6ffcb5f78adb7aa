/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The columns of the table: strace's, with strace's names and aliases for -S and -U, and iotrace's own. A new
 * column is one row in columns.c.
 */
#ifndef IOTRACE_COLUMNS_H
#define IOTRACE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "profile.h"

#ifdef __cplusplus
extern "C" {
#endif

enum column_id {
	COLUMN_NONE, /* "none", "nothing": only for sorting */
	COLUMN_TIME_PERCENT,
	COLUMN_TOTAL_TIME,
	COLUMN_MIN_TIME,
	COLUMN_MAX_TIME,
	COLUMN_AVG_TIME,
	COLUMN_CALLS,
	COLUMN_ERRORS,
	COLUMN_NAME,
	COLUMN_P50,
	COLUMN_P90,
	COLUMN_P99,
	COLUMN_P999,
	COLUMN_BYTES,
	COLUMN_AVG_BYTES,
	NR_COLUMNS,
};

/* The argument of -S. 0 or -EINVAL with a one-line reason in err. */
int column_parse_sort(enum column_id *sort, const char *arg, char *err, size_t err_size);

/*
 * The argument of -U: a comma-separated list; a column given twice or unknown is an error; the name column
 * is added at the end if it is missing, as strace does. columns has room for NR_COLUMNS. 0 or -EINVAL with
 * a one-line reason in err.
 */
int column_parse_list(enum column_id *columns, size_t *nr_columns, const char *arg, char *err,
		      size_t err_size);

/* strace's own six columns. */
void column_default_list(enum column_id *columns, size_t *nr_columns);

/*
 * Sorts pointers to rows as -S asks: figures descending, names ascending, ties by number, and COLUMN_NONE by
 * number alone.
 */
void column_sort(const struct syscall_stats **rows, size_t nr_rows, enum column_id sort);

#ifdef __cplusplus
}
#endif
#endif
