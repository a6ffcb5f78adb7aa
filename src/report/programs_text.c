// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>
#include <sys/param.h>

#include "base/text.h"
#include "model/program_calls.h"
#include "report/texts.h"

/* The programs take so many lines at most. */
#define PROGRAM_LINES 6

static void print_program(FILE *out, const char *lead, const char *name, int width,
			  const struct program_calls *c, uint64_t all, bool timed)
{
	char time[32] = "";

	if (timed)
		format_ns(time, sizeof(time), c->total_ns);
	fprintf(out, "%-11s %s%*s %3.0f %% %10" PRIu64 " call%s", lead, name,
		width - (int)text_width(name, strlen(name)), "",
		100.0 * (double)c->calls / (double)all, c->calls, c->calls == 1 ? " " : "s");
	if (*time)
		fprintf(out, " %8s", time);
	if (c->processes > 1)
		fprintf(out, " %6" PRIu64 " processes", c->processes);
	fputc('\n', out);
}

int render_programs(FILE *out, const struct result *r, const struct render_options *o,
		    unsigned sections __attribute__((unused)))
{
	const struct profile *p = r->profile;
	struct program_calls rest = profile_other_program_calls(p);
	size_t nr = p->nr_program_calls, shown, width = 0;
	bool timed = !(p->unknown & UNKNOWN_LATENCY);
	struct syscall_stats sum;
	char name[64], more[64];

	if (p->by[0] || o->quiet || nr < 2)
		return 0;
	profile_sum(&sum, p);
	shown = nr + (rest.calls > 0) <= PROGRAM_LINES ? nr : PROGRAM_LINES - 1;
	for (size_t i = 0; i < shown; i++) {
		ESCAPE_TEXT(name, p->program_calls[i].comm);
		width = MAX(width, text_width(name, strlen(name)));
	}
	for (size_t i = shown; i < nr; i++) {
		rest.calls += p->program_calls[i].calls;
		rest.total_ns += p->program_calls[i].total_ns;
		rest.processes += p->program_calls[i].processes;
	}
	snprintf(more, sizeof(more), "and %zu more", nr - shown);
	if (rest.calls)
		width = MAX(width, strlen(nr > shown ? more : rest.comm));
	fputc('\n', out);
	for (size_t i = 0; i < shown; i++)
		print_program(out,
			      i ? "" : "by program:", ESCAPE_TEXT(name, p->program_calls[i].comm),
			      (int)width, &p->program_calls[i], sum.calls, timed);
	if (rest.calls)
		print_program(out, "", nr > shown ? more : rest.comm, (int)width, &rest, sum.calls,
			      timed);
	return 0;
}
