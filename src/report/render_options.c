// SPDX-License-Identifier: GPL-2.0
#include "report/render_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/abi.h"
#include "model/profile.h"

struct render_options render_with_columns(const struct render_options *o, const struct profile *p)
{
	struct render_options filled = *o;

	if (!filled.nr_columns)
		column_default_list(filled.columns, &filled.nr_columns, p, o->wall);
	return filled;
}

enum column_id render_sort(const struct render_options *o, const struct profile *p)
{
	if (o->sort != COLUMN_BY_DEFAULT)
		return o->sort;
	return o->wall || p->unknown & UNKNOWN_IDLE ? COLUMN_TIME_PERCENT : COLUMN_BUSY_PERCENT;
}

/*
 * A call matters if there are so many of it, or if it takes one part in SHARE_OF_TIME of the busy
 * time of all.
 */
#define MANY_CALLS    100
#define SHARE_OF_TIME 100

static bool matters(const struct profile *p, const struct syscall_stats *s)
{
	double all_ns = 0, busy_ns;

	for (size_t i = 0; i < p->nr_syscalls; i++)
		all_ns += (double)figure_value(FIGURE_busy_ns, &p->syscalls[i]);
	busy_ns = (double)figure_value(FIGURE_busy_ns, s);
	return s->calls >= MANY_CALLS || (busy_ns > 0 && busy_ns * SHARE_OF_TIME >= all_ns);
}

static bool is_listed(const struct render_options *o, const struct syscall_stats *s)
{
	for (char **name = o->histogram_names; name && *name; name++) {
		if (!strncmp(*name, s->name, sizeof(s->name)))
			return true;
	}
	return false;
}

bool render_histogram_wanted(const struct render_options *o, const struct profile *p,
			     const struct syscall_stats *s, enum audience audience)
{
	switch (o->histogram) {
	case HISTOGRAM_SOME:
		return audience == FOR_PROGRAMS || matters(p, s);
	case HISTOGRAM_LISTED:
		return is_listed(o, s);
	default:
		return o->histogram == HISTOGRAM_ALL;
	}
}

const char *render_name(char *buf, const char *name, enum iotrace_abi abi)
{
	escape_text(buf, CELL_SIZE, name, strnlen(name, sizeof(((struct syscall_stats *)0)->name)));
	/* If every byte of the name is escaped, CELL_SIZE has no room for more. */
	if (abi != ABI_64)
		snprintf(buf + strlen(buf), CELL_SIZE - strlen(buf), "@%s", abi_name(abi));
	return buf;
}

int render_rows(struct render_rows *rows, const struct profile *p, const struct render_options *o)
{
	int err = 0;

	rows->nr = 0;
	rows->list = calloc(p->nr_syscalls + 1, sizeof(*rows->list));
	if (!rows->list)
		return -ENOMEM;
	for (int abi = 0; !err && abi < NR_ABIS; abi++) {
		size_t first = rows->nr;

		for (size_t i = 0; i < p->nr_syscalls; i++)
			if (p->syscalls[i].abi == (enum iotrace_abi)abi && p->syscalls[i].calls)
				rows->list[rows->nr++] = &p->syscalls[i];
		rows->nr_of[abi] = rows->nr - first;
		err = column_sort(rows->list + first, rows->nr_of[abi], render_sort(o, p));
	}
	return err;
}

bool files_asked(const struct render_options *o)
{
	return o->files || o->sections & SECTION_FILES;
}

bool findings_asked(const struct render_options *o)
{
	return o->files || o->sections & (SECTION_FILES | SECTION_FINDINGS);
}
