// SPDX-License-Identifier: GPL-2.0
/* Whom a report is about, for how long, and how much that was a second. */
#include <errno.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/provenance.h"
#include "model/rates.h"
#include "report/sheet.h"
#include "report/texts.h"

/* A command takes so many columns at most. */
#define COMMAND_WIDTH 60

/* Prints "nginx[812]" or "make -j4". 0 or -ENOMEM. */
static int print_target(FILE *out, const struct provenance *v)
{
	char *text = v->command ? quote_words(v->command)
				: escape_text_dup(v->target, strlen(v->target));

	if (!text)
		return -ENOMEM;
	fputs(v->command ? shorten_text(text, COMMAND_WIDTH) : text, out);
	free(text);
	return 0;
}

const char *rates_text(char buf[RATES_SIZE], const struct profile *p)
{
	char text[FORMATTED_RATE];
	struct syscall_stats sum;
	size_t len = 0;

	if (!p->elapsed_ns)
		return NULL;
	profile_sum(&sum, p);
	for (enum rate_id id = 0; id < NR_RATES; id++) {
		double rate = rate_value(id, SCOPE_SYSCALL, &sum, p->elapsed_ns);

		if (!figure_known(rates[id].of, &sum, p->unknown) ||
		    (id != RATE_CALLS && rate <= 0))
			continue;
		len += (size_t)snprintf(buf + len, RATES_SIZE - len, "%s%s", len ? ", " : "",
					format_rate(text, id, rate));
	}
	return buf;
}

int render_traced(FILE *out, const struct result *r,
		  const struct render_options *o __attribute__((unused)),
		  unsigned sections __attribute__((unused)))
{
	const struct profile *p = r->profile;
	const struct provenance *v = profile_provenance(p);
	char elapsed[32], text[RATES_SIZE];

	if (!rates_text(text, p))
		return 0;
	if ((v->command || v->target) && print_target(out, v))
		return -ENOMEM;
	fprintf(out, "%s%s", v->command || v->target ? ", " : "",
		format_ns(elapsed, sizeof(elapsed), p->elapsed_ns));
	if (p->to_ns) {
		fprintf(out, " from second %s",
			format_fixed(elapsed, sizeof(elapsed), (double)p->from_ns / 1e9, 3));
		fprintf(out, " to %s",
			format_fixed(elapsed, sizeof(elapsed), (double)p->to_ns / 1e9, 3));
	}
	fprintf(out, ": %s\n", text);
	return 0;
}
