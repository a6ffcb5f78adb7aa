/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The columns of the table: strace's, with strace's names and aliases for -S and -U, and iotrace's
 * own. Another one is a number here and a row in columns.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/figures.h"
#include "model/profile.h"
#include "model/rates.h"

enum column_id {
	COLUMN_NONE, /* "none", "nothing": it is for sorting only. */
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
	COLUMN_WAITS,
	COLUMN_WAIT_TIME,
	COLUMN_RUN_TIME,
	COLUMN_IDLE_TIME,
	COLUMN_BUSY_PERCENT,
	COLUMN_BUSY_TIME,
	COLUMN_BUSY_AVG,
	COLUMN_PREEMPTED,
	COLUMN_CPU_TIME,
	COLUMN_ESTIMATED,
	COLUMN_TOTAL_ERROR,
	COLUMN_CPU_AVG,
	COLUMN_RATE,
	COLUMN_ERRORS_RATE,
	COLUMN_BYTES_RATE,
	NR_COLUMNS,
	COLUMN_BY_DEFAULT = NR_COLUMNS, /* -S was not given. */
};

/* Reads the argument of -S. 0 or -EINVAL with a one-line reason in err, which is not escaped. */
int column_parse_sort(enum column_id *sort, const char *arg, char *err, size_t err_size);

/*
 * Reads the argument of -U, a comma-separated list. A column given twice or unknown is an error;
 * the name column is added at the end if it is missing, as strace does. columns has room for
 * NR_COLUMNS. 0 or -EINVAL with a one-line reason in err, which is not escaped.
 */
int column_parse_list(enum column_id *columns, size_t *nr_columns, const char *arg, char *err,
		      size_t err_size);

/*
 * Lists strace's own six columns, and those of iotrace's own in which this profile has something to
 * show (NULL: none). Where some of the time was spent waiting for others, the times are those of
 * the rest, unless wall says that all of it counts.
 */
void column_default_list(enum column_id *columns, size_t *nr_columns, const struct profile *p,
			 bool wall);

/* The name of the i-th column; NULL after the last. */
const char *column_name(size_t i);

/* The sums from which the cells of a table are computed besides their own row. */
struct column_sums {
	unsigned unknown;	    /* Bits of enum profile_unknown. */
	uint64_t elapsed_ns;	    /* Length of the window that they are of. */
	struct syscall_stats total; /* All rows merged, without errnos. It is the total row, too. */
	uint64_t transfer_calls;    /* Calls of those rows that transfer. */
};

/*
 * A cell holds at most this many bytes, with its NUL: a name of 40 bytes, every one of them
 * escaped.
 */
#define CELL_SIZE 164

struct column {
	const char *name;    /* Name for -S and -U. */
	const char *heading; /* Heading, which states the unit. */
	unsigned width;	     /* The least width of the column. */
	bool left;	     /* The text is aligned to the left. */
	/*
	 * Figure that it shows, and that -S sorts by, the largest first. FIGURE_none: the name,
	 * ascending.
	 */
	enum figure_id figure;
	enum rate_id rate; /* The rate of that figure that it shows, if it shows one. */
	/* Prints the cell of a row, or of &sums->total. */
	void (*format)(char *buf, size_t size, const struct column *c,
		       const struct syscall_stats *row, const struct column_sums *sums);
	/* Returns the width that strace reserves for a cell. NULL: it is the length of the text. */
	unsigned (*measure)(const struct column *c, const struct syscall_stats *row);
	/* Gives -S a finer figure to sort by. NULL: the figure itself is fine enough. */
	uint64_t (*key)(const struct syscall_stats *row);
};

extern const struct column columns[NR_COLUMNS];

/* Sums up the rows of one table of a profile. */
void column_sums(struct column_sums *sums, const struct syscall_stats *const *rows, size_t nr_rows,
		 const struct profile *p);

/*
 * Prints the cell of a row, or of &sums->total: "-" for what is not known, "" for no errors.
 * Returns buf, of CELL_SIZE bytes.
 */
const char *column_cell(char *buf, enum column_id id, const struct syscall_stats *row,
			const struct column_sums *sums);

/* The width of the column in this table, heading included. */
unsigned column_width(enum column_id id, const struct syscall_stats *const *rows, size_t nr_rows,
		      const struct column_sums *sums);

/*
 * Sorts pointers to rows as -S asks: figures descending, names ascending, ties by number, and
 * COLUMN_NONE by number alone. 0 or -ENOMEM.
 */
int column_sort(const struct syscall_stats **rows, size_t nr_rows, enum column_id sort);
