// SPDX-License-Identifier: GPL-2.0
/* One interval of --interval. */
#include "base/text.h"
#include "report/render.h"

int render_interval(FILE *out, const struct profile *p, const struct render_options *o,
		    const char *clock, uint64_t elapsed_ns)
{
	char seconds[32];
	int err;

	fprintf(out, "%s  elapsed %s s\n", clock,
		format_fixed(seconds, sizeof(seconds), elapsed_ns / 1e9, 3));
	err = render_summary(out, p, o);
	if (!p->nr_syscalls)
		fputs("(no calls)\n", out);
	fputc('\n', out);
	return err;
}
