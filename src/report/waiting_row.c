// SPDX-License-Identifier: GPL-2.0
#include "report/waiting_row.h"

#include <stdio.h>
#include <string.h>

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

/* Finds the syscalls that waited longest, the longest first. Those that did not are NULL. */
static void find_longest(const struct syscall_stats *longest[NAMED],
			 const struct syscall_stats *const *rows, size_t nr_rows)
{
	memset(longest, 0, NAMED * sizeof(*longest));
	for (size_t i = 0; i < nr_rows; i++) {
		const struct syscall_stats *s = rows[i]->idle_ns ? rows[i] : NULL;

		for (size_t place = 0; s && place < NAMED; place++) {
			const struct syscall_stats *other = longest[place];

			if (other && other->idle_ns >= s->idle_ns)
				continue;
			longest[place] = s;
			s = other;
		}
	}
}

/* Adds ": epoll_wait 98 %, read 2 %". What is rounded to nothing is not named. */
static void add_names(char *buf, const struct syscall_stats *const *rows, size_t nr_rows,
		      uint64_t idle_ns)
{
	const struct syscall_stats *longest[NAMED];
	char name[CELL_SIZE];

	find_longest(longest, rows, nr_rows);
	for (size_t i = 0; i < NAMED && longest[i]; i++) {
		double share = 100 * (double)longest[i]->idle_ns / (double)idle_ns;
		size_t len = strlen(buf);

		if (i && share < 0.5)
			break;
		snprintf(buf + len, WAITING_SIZE - len, "%s%s %.0f %%", i ? ", " : ": ",
			 render_name(name, longest[i]->name, longest[i]->abi), share);
	}
}

const char *waiting_cell(char *buf, size_t i, const struct render_options *o,
			 const struct syscall_stats *const *rows, size_t nr_rows,
			 const struct column_sums *sums)
{
	enum column_id id = o->columns[i];

	buf[0] = '\0';
	if (id == COLUMN_NAME) {
		strcpy(buf, "waiting");
		if (i + 1 == o->nr_columns)
			add_names(buf, rows, nr_rows, sums->total.idle_ns);
	} else if (id == COLUMN_BUSY_TIME || id == COLUMN_IDLE_TIME) {
		column_cell(buf, COLUMN_IDLE_TIME, &sums->total, sums);
	}
	return buf;
}
