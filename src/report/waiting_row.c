// SPDX-License-Identifier: GPL-2.0
#include "report/waiting_row.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* So many syscalls are named. */
#define NAMED 3

bool waiting_row_wanted(const struct render_options *o, const struct column_sums *sums)
{
	for (size_t i = 0; i < o->nr_columns; i++)
		if (columns[o->columns[i]].figure == FIGURE_busy_ns)
			return figure_known(FIGURE_idle_ns, &sums->total, sums->unknown) &&
			       sums->total.idle_ns;
	return false;
}

/* Returns the syscall that waited longest of those that waited less long than another (NULL: any).
 */
static const struct syscall_stats *next_longest(const struct syscall_stats *const *rows,
						size_t nr_rows, const struct syscall_stats *last)
{
	const struct syscall_stats *next = NULL;
	bool passed = !last;

	for (size_t i = 0; i < nr_rows; i++) {
		const struct syscall_stats *s = rows[i];
		bool before = !last || s->idle_ns < last->idle_ns ||
			      (s->idle_ns == last->idle_ns && passed);

		passed |= s == last;
		if (s != last && before && s->idle_ns && (!next || s->idle_ns > next->idle_ns))
			next = s;
	}
	return next;
}

/* Adds ": epoll_wait 98 %, read 2 %". What is rounded to nothing is not named. */
static void add_names(char *buf, const struct syscall_stats *const *rows, size_t nr_rows)
{
	const struct syscall_stats *s = NULL;
	char name[CELL_SIZE];
	double whole = 0;

	for (size_t i = 0; i < nr_rows; i++)
		whole += (double)rows[i]->idle_ns;
	for (int i = 0; i < NAMED && (s = next_longest(rows, nr_rows, s)); i++) {
		double share = 100 * (double)s->idle_ns / whole;
		size_t len = strlen(buf);

		if (i && share < 0.5)
			break;
		snprintf(buf + len, WAITING_SIZE - len, "%s%s %.0f %%", i ? ", " : ": ",
			 render_name(name, s->name, s->abi), share);
	}
}

const char *waiting_cell(char *buf, size_t i, const struct render_options *o,
			 const struct syscall_stats *const *rows, size_t nr_rows)
{
	enum column_id id = o->columns[i];
	uint64_t idle_ns = 0;

	buf[0] = '\0';
	if (id == COLUMN_NAME) {
		strcpy(buf, "waiting");
		if (i + 1 == o->nr_columns)
			add_names(buf, rows, nr_rows);
	} else if (id == COLUMN_BUSY_TIME || id == COLUMN_IDLE_TIME) {
		for (size_t r = 0; r < nr_rows; r++)
			idle_ns += rows[r]->idle_ns;
		format_fixed(buf, WAITING_SIZE, (double)idle_ns / 1e9, 6);
	}
	return buf;
}
