// SPDX-License-Identifier: GPL-2.0
/* The section of sites, for people: where the calls of each syscall on each file come from. */
#include "model/sampled_calls.h"
#include "report/fill.h"
#include "report/texts.h"

/* So many are shown; the others are counted. */
#define MAX_CALLS 20

static int print_call(FILE *out, const struct stacks *s, const struct sampled_call *c, bool whole)
{
	char name[CELL_SIZE], count[FORMATTED_COUNT], path[512], time[32];

	fprintf(out, "%s  %s%s%s call%s", render_name(name, c->name, c->abi),
		c->path ? ESCAPE_TEXT(path, c->path) : "", c->path ? "  " : "",
		format_grouped(count, c->calls), c->calls == 1 ? "" : "s");
	if (c->ns)
		fprintf(out, "  %s", format_ns(time, sizeof(time), c->ns));
	fputc('\n', out);
	return print_sites(out, s, c->sites, c->nr_sites, whole, WEIGHT_CALLS);
}

void print_missing_samples(FILE *out, const struct stacks *s)
{
	char lost[FORMATTED_COUNT], all[FORMATTED_COUNT];

	if (s->lost)
		fprintf(out,
			"Of %s samples of stacks %s could not be taken, for lack of room or as their process is unknown: functions may be missing.\n",
			format_grouped(all, s->samples + s->lost), format_grouped(lost, s->lost));
}

/* Says how many calls, and what part of the time, the sites do not tell of. */
static void print_not_sampled(FILE *out, const struct profile *p,
			      const struct sampled_calls *sampled)
{
	char text[FORMATTED_COUNT], of[FORMATTED_COUNT];
	uint64_t calls = 0, ns = 0;
	struct syscall_stats all;

	profile_sum(&all, p);
	for (size_t i = 0; i < sampled->nr; i++) {
		calls += sampled->list[i].calls;
		ns += sampled->list[i].ns;
	}
	if (calls >= all.calls)
		return;
	fprintf(out, "Of %s calls %s", format_grouped(of, all.calls),
		format_grouped(text, all.calls - calls));
	if (all.total_ns && ns < all.total_ns)
		fprintf(out, ", with %.0f %% of the time,",
			100 * (double)(all.total_ns - ns) / (double)all.total_ns);
	fputs(" are on files, or of syscalls, that no sample is of.\n", out);
}

int render_sites(FILE *out, const struct result *r, const struct render_options *o,
		 unsigned sections __attribute__((unused)))
{
	struct sampled_calls calls;
	int err = sampled_calls_collect(&calls, r);

	for (size_t i = 0; !err && i < calls.nr && i < MAX_CALLS; i++)
		err = print_call(out, &r->profile->stacks, &calls.list[i], o->whole_stacks);
	if (!err && calls.nr > MAX_CALLS)
		fprintf(out, "and %zu more, which took less\n", calls.nr - MAX_CALLS);
	if (!err && calls.nr)
		print_not_sampled(out, r->profile, &calls);
	if (!err && !calls.nr)
		fputs("Where in the code the calls come from is not known.\n", out);
	print_missing_samples(out, &r->profile->stacks);
	sampled_calls_free(&calls);
	return err;
}
