// SPDX-License-Identifier: GPL-2.0
#include "report/failures.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

const char *failure_name(char buf[FAILURE_SIZE], const struct failure *failure)
{
	if (WIFSIGNALED(failure->status))
		snprintf(buf, FAILURE_SIZE, "signal %d", WTERMSIG(failure->status));
	else
		snprintf(buf, FAILURE_SIZE, "exit status %d", WEXITSTATUS(failure->status));
	return buf;
}

static void print_failure(FILE *out, const struct side *side, const struct failure *f)
{
	char how[FAILURE_SIZE];

	fputs(failure_name(how, f), out);
	if (f->nr_runs)
		fprintf(out, " in %zu of %zu runs", f->nr_runs, side->nr_runs);
	if (f->nr_bare)
		fprintf(out, "%s in %zu of %zu %swithout iotrace", f->nr_runs ? " and" : "",
			f->nr_bare, side->nr_bare, f->nr_runs ? "" : "runs ");
}

char *failures_text(const struct side *side)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; out && i < side->nr_failures; i++) {
		if (i)
			fputs("; ", out);
		print_failure(out, side, &side->failures[i]);
	}
	if (out && !fclose(out))
		return text;
	free(text);
	return NULL;
}
