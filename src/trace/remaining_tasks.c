// SPDX-License-Identifier: GPL-2.0
#include "trace/remaining_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "base/text.h"

#define MAX_NAMED 3

static int by_pid(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

/* Replaces tasks by their processes, each once. Returns how many. */
static size_t to_processes(pid_t *ids, size_t nr)
{
	size_t nr_processes = 0;

	for (size_t i = 0; i < nr; i++)
		ids[i] = process_of(ids[i]) ?: ids[i];
	qsort(ids, nr, sizeof(*ids), by_pid);
	for (size_t i = 0; i < nr; i++)
		if (!nr_processes || ids[nr_processes - 1] != ids[i])
			ids[nr_processes++] = ids[i];
	return nr_processes;
}

static void describe(const pid_t *pids, size_t nr, FILE *out)
{
	fprintf(out, "%zu process%s (", nr, nr == 1 ? "" : "es");
	for (size_t i = 0; i < nr && i < MAX_NAMED; i++) {
		char comm[64], name[256];

		name_of(pids[i], comm, sizeof(comm));
		fprintf(out, "%s%s %d", i ? ", " : "", ESCAPE_TEXT(name, comm), pids[i]);
	}
	fputs(nr > MAX_NAMED ? ", ...)" : ")", out);
}

void remaining_tasks_describe(struct collector *c, char *text, size_t size)
{
	size_t nr = c->ops->tasks(c, NULL, 0), room = nr;
	pid_t *ids = calloc(nr ? nr : 1, sizeof(*ids));
	FILE *out;

	*text = '\0';
	if (!ids || !nr)
		goto out;
	nr = c->ops->tasks(c, ids, room);
	nr = to_processes(ids, nr < room ? nr : room);
	out = nr ? fmemopen(text, size, "w") : NULL;
	if (out) {
		describe(ids, nr, out);
		fclose(out);
	}
out:
	free(ids);
}
