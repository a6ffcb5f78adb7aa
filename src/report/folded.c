// SPDX-License-Identifier: GPL-2.0
/*
 * Folded stacks, as flamegraph.pl, inferno and speedscope read them: a line for each stack, its
 * frames from the outermost to the call, separated by semicolons, and a number.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/profile.h"
#include "report/render.h"
#include "report/texts.h"

/* Prints a name, escaped, in which nothing ends a frame. */
static void put_name(FILE *out, const char *untrusted)
{
	char *text = escape_text_dup(untrusted, strlen(untrusted));

	for (char *c = text; c && *c; c++)
		fputc(*c == ';' ? ':' : *c, out);
	free(text);
}

static void put_frame(FILE *out, const struct code_frame *f)
{
	const char *slash = f->object ? strrchr(f->object, '/') : NULL;

	if (f->function) {
		put_name(out, f->function);
	} else {
		put_name(out, f->object ? slash ? slash + 1 : f->object : "[unknown]");
		if (f->object)
			fprintf(out, "+%#" PRIx64, f->offset);
	}
	if (f->file && f->line) {
		slash = strrchr(f->file, '/');
		fputs(" (", out);
		put_name(out, slash ? slash + 1 : f->file);
		fprintf(out, ":%u)", f->line);
	}
	/* flamegraph.pl has another colour for inlined functions. */
	if (f->inlined)
		fputs("_[i]", out);
	fputc(';', out);
}

/* The number of a site: its part of what the syscall's calls on the file have together. */
static double weight_of(const struct site *site, const struct file_call *call,
			enum stack_weight weight)
{
	switch (weight) {
	case WEIGHT_TIME:
		return site->ns;
	case WEIGHT_BYTES:
		return call->calls ? site->calls / (double)call->calls * (double)call->bytes : 0;
	default:
		return site->calls;
	}
}

static int print_call(FILE *out, const struct result *r, const struct file_stats *file,
		      const struct file_call *call, enum stack_weight weight)
{
	const struct stacks *stacks = &r->profile->stacks;
	struct site *sites = NULL;
	size_t nr = 0;
	int err = file_call_sites(&sites, &nr, file, call);

	for (size_t i = 0; !err && i < nr; i++) {
		const struct call_stack *stack = &stacks->stacks[sites[i].stack];
		double value = round(weight_of(&sites[i], call, weight));

		if (value < 1)
			continue;
		if (stack->cut)
			fputs("[cut];", out);
		for (size_t f = stack->nr; f-- > 0;)
			put_frame(out, &stacks->frames[stack->frames[f]]);
		put_name(out, call->name);
		fprintf(out, " %.0f\n", value);
	}
	free(sites);
	return err;
}

static int render(FILE *out, const struct result *r, const struct render_options *o)
{
	int err = 0;

	for (size_t i = 0; !err && i < r->nr_files; i++)
		for (size_t k = 0; !err && k < r->files[i].nr_calls; k++)
			err = print_call(out, r, &r->files[i], &r->files[i].calls[k], o->weight);
	return err;
}

const struct renderer render_folded = {
	.name = "folded",
	.extensions = { "folded" },
	.sections = SECTION_STACKS,
	.default_sections = SECTION_STACKS,
	.audience = FOR_PROGRAMS,
	.render = render,
};
