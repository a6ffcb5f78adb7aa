/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The row below the total of a table with busy times: how long the calls waited for other programs,
 * other machines and timers, which those times leave out, and which calls did.
 *
 * A row serves better than a table sorted by run-time: that would leave out the waits for disks,
 * too, and a database's fsync() would stand last. The order is that of the work, and what waited
 * stays to be seen, without being taken for the costliest call.
 */
#pragma once

#include "report/render_options.h"

#define WAITING_SIZE (4 * CELL_SIZE)

/* Has the table such a row: has it busy times, and was there something that waited? */
bool waiting_row_wanted(const struct render_options *o, const struct column_sums *sums);

/*
 * Prints the row's cell of the i-th column: the time, "waiting: epoll_wait 98 %, read 2 %", escaped
 * ("waiting" alone if that is not the last column), or nothing. Returns buf, of WAITING_SIZE bytes.
 */
const char *waiting_cell(char *buf, size_t i, const struct render_options *o,
			 const struct syscall_stats *const *rows, size_t nr_rows,
			 const struct column_sums *sums);
