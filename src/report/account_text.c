// SPDX-License-Identifier: GPL-2.0
/* Whether the figures are complete, what tracing added, and what tasks were doing at the end. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "report/texts.h"

#define MAX_INFLIGHT 20 /* The most calls in flight that are listed. */

static void print_inflight(FILE *out, const struct profile *p)
{
	char comm[80], name[CELL_SIZE], since[24];
	size_t nr = p->nr_inflight < MAX_INFLIGHT ? p->nr_inflight : MAX_INFLIGHT;
	uint64_t listed = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct inflight_call *c = &p->inflight[i];

		listed += !c->before;
		fprintf(out, "  %s  ", render_name(name, c->name, c->abi));
		if (!c->pid) {
			fputs("outside this PID namespace\n", out);
			continue;
		}
		fprintf(out, "pid %d", c->pid);
		if (c->tid != c->pid)
			fprintf(out, " tid %d", c->tid);
		fprintf(out, " (%s)",
			escape_text(comm, sizeof(comm), c->comm,
				    strnlen(c->comm, sizeof(c->comm))));
		fprintf(out, "  %s %s", c->before ? "for more than" : "for",
			c->since_ns ? format_ns(since, sizeof(since), c->since_ns) : "-");
		fputs(c->before ? ", since before tracing began\n" : "\n", out);
	}
	if (p->in_flight > listed)
		fprintf(out, "  %s%" PRIu64 " not listed\n", nr ? "and " : "",
			p->in_flight - listed);
}

/* Prints whether every call that was entered is accounted for. */
static void print_integrity(FILE *out, const struct profile *p, const struct render_options *o)
{
	bool lost = p->lost || p->lost_tasks || p->lost_errnos;
	uint64_t known = p->returned + p->in_flight + p->died;

	if (p->unknown & UNKNOWN_ENTERED) {
		fprintf(out, "returned %" PRIu64 "; entered and in flight not known", p->returned);
	} else {
		fprintf(out, "entered %" PRIu64 " %s returned %" PRIu64 " + in flight %" PRIu64,
			p->entered, p->entered == known ? "=" : "!=", p->returned, p->in_flight);
		if (p->died)
			fprintf(out, " + died in call %" PRIu64, p->died);
	}
	fprintf(out, "; %slost %" PRIu64, lost ? style(o, STYLE_RED) : "", p->lost);
	if (p->lost_tasks)
		fprintf(out, " and all calls of %" PRIu64 " task%s", p->lost_tasks,
			p->lost_tasks == 1 ? "" : "s");
	if (p->lost_errnos)
		fprintf(out, ", and the errnos of %" PRIu64 " error%s", p->lost_errnos,
			p->lost_errnos == 1 ? "" : "s");
	fputs(lost ? style(o, STYLE_OFF) : "", out);
	if (p->under_way)
		fprintf(out, "; %" PRIu64 " begun before tracing not counted", p->under_way);
	if (p->excluded)
		fprintf(out, "; %" PRIu64 " process%s left out when %s gained privileges",
			p->excluded, p->excluded == 1 ? "" : "es",
			p->excluded == 1 ? "it" : "they");
	fputc('\n', out);
}

/* Prints what tracing added; calls in parallel threads are added up. */
static void print_overhead(FILE *out, const struct profile *p)
{
	double added_ns = p->overhead_ps / 1e3 * p->returned;
	char each[32], all[32], share[32], run[32];

	if (!p->overhead_ps || !p->elapsed_ns)
		return;
	fprintf(out, "tracing added about %s to each call: %s in all, %s%% of the run's %s\n",
		format_ns(each, sizeof(each), (p->overhead_ps + 500) / 1000),
		format_ns(all, sizeof(all), added_ns < 1e19 ? (uint64_t)added_ns : UINT64_MAX),
		format_fixed(share, sizeof(share), 100 * added_ns / p->elapsed_ns, 1),
		format_ns(run, sizeof(run), p->elapsed_ns));
}

int text_of_account(FILE *out, const struct result *r, const struct render_options *o,
		    unsigned sections)
{
	const struct profile *p = r->profile;
	char note[512];

	if (sections & SECTION_INTEGRITY) {
		print_integrity(out, p, o);
		if (p->time_note && !o->quiet)
			fprintf(out, "%s\n", ESCAPE_TEXT(note, p->time_note));
		print_overhead(out, p);
	}
	if (sections & SECTION_INFLIGHT && !(p->unknown & UNKNOWN_ENTERED))
		print_inflight(out, p);
	return 0;
}
