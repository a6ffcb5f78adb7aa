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
#include "model/sampled_calls.h"
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
	if (f->function) {
		put_name(out, f->function);
	} else {
		put_name(out, f->object ? base_name(f->object) : "[unknown]");
		if (f->object)
			fprintf(out, "+%#" PRIx64, f->offset);
	}
	if (f->file && f->line) {
		fputs(" (", out);
		put_name(out, base_name(f->file));
		fprintf(out, ":%u)", f->line);
	}
	/* flamegraph.pl has another colour for inlined functions. */
	if (f->inlined)
		fputs("_[i]", out);
	fputc(';', out);
}

static double weight_of(const struct site *site, enum stack_weight weight)
{
	switch (weight) {
	case WEIGHT_TIME:
		return site->ns;
	case WEIGHT_BYTES:
		return site->bytes;
	default:
		return site->calls;
	}
}

/* Prints the stacks of a call, whose numbers add up to those of its sites. Returns the sum. */
static uint64_t print_call(FILE *out, const struct stacks *stacks, const struct sampled_call *call,
			   enum stack_weight weight)
{
	double sum = 0, printed = 0;

	for (size_t i = 0; i < call->nr_sites; i++) {
		const struct call_stack *stack = &stacks->stacks[call->sites[i].stack];
		double value;

		sum += weight_of(&call->sites[i], weight);
		value = round(sum) - printed;
		if (value < 1)
			continue;
		printed += value;
		if (stack->cut)
			fputs("[cut];", out);
		for (size_t f = stack->nr; f-- > 0;)
			put_frame(out, &stacks->frames[stack->frames[f]]);
		put_name(out, call->name);
		fprintf(out, " %.0f\n", value);
	}
	return (uint64_t)printed;
}

static uint64_t weight_of_all(const struct syscall_stats *s, enum stack_weight weight)
{
	switch (weight) {
	case WEIGHT_TIME:
		return s->total_ns;
	case WEIGHT_BYTES:
		return s->bytes;
	default:
		return s->calls;
	}
}

/* Prints the stacks of a syscall, and how many of its calls none of them stands for. */
static void print_syscall(FILE *out, const struct result *r, const struct syscall_stats *s,
			  const struct sampled_calls *calls, enum stack_weight weight)
{
	uint64_t all = weight_of_all(s, weight), printed = 0;

	for (size_t i = 0; i < calls->nr; i++)
		if (calls->list[i].abi == s->abi && same_text(calls->list[i].name, s->name))
			printed += print_call(out, &r->profile->stacks, &calls->list[i], weight);
	if (printed >= all)
		return;
	fputs("[not sampled];", out);
	put_name(out, s->name);
	fprintf(out, " %" PRIu64 "\n", all - printed);
}

static int render(FILE *out, const struct result *r, const struct render_options *o)
{
	struct sampled_calls calls;
	int err = sampled_calls_collect(&calls, r);

	for (size_t i = 0; !err && calls.nr && i < r->profile->nr_syscalls; i++)
		print_syscall(out, r, &r->profile->syscalls[i], &calls, o->weight);
	sampled_calls_free(&calls);
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
