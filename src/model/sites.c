// SPDX-License-Identifier: GPL-2.0
#include "model/sites.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "model/code.h"

void stacks_free(struct stacks *s)
{
	for (size_t i = 0; i < s->nr_frames; i++) {
		free(s->frames[i].function);
		free(s->frames[i].file);
		free(s->frames[i].object);
		free(s->frames[i].build_id);
		free(s->frames[i].package);
	}
	for (size_t i = 0; i < s->nr_stacks; i++)
		free(s->stacks[i].frames);
	free(s->frames);
	free(s->stacks);
	free(s->sites);
	memset(s, 0, sizeof(*s));
}

int sites_add(struct site **list, size_t *nr, const struct site *site)
{
	struct site *added;

	for (size_t i = 0; i < *nr; i++) {
		struct site *known = &(*list)[i];

		if (known->abi != site->abi || known->nr != site->nr || known->stack != site->stack)
			continue;
		known->samples += site->samples;
		known->calls += site->calls;
		known->ns += site->ns;
		known->bytes += site->bytes;
		known->calls_variance += site->calls_variance;
		known->ns_variance += site->ns_variance;
		return 0;
	}
	added = array_append(list, nr, sizeof(*added));
	if (!added)
		return -ENOMEM;
	*added = *site;
	return 0;
}

void site_scale(struct site *site, const struct site *all, uint64_t calls, uint64_t ns,
		uint64_t bytes)
{
	double share = all->calls > 0 ? site->calls / all->calls : 0;
	double calls_factor = all->calls > 0 ? (double)calls / all->calls : 0;
	double ns_factor = all->ns > 0 ? (double)ns / all->ns : 0;
	double ns_share = all->ns > 0 ? site->ns / all->ns : 0;
	/* What the samples do not stand for counts as one more, of whatever site. */
	double missing = fmax(0, (double)calls - all->calls);
	double missing_ns = fmax(0, (double)ns - all->ns);

	site->ns = (all->ns > 0 ? site->ns / all->ns : share) * (double)ns;
	site->bytes = (all->bytes > 0 ? site->bytes / all->bytes : share) * (double)bytes;
	site->calls = share * (double)calls;
	site->calls_variance *= calls_factor * calls_factor;
	site->ns_variance *= ns_factor * ns_factor;
	site->calls_variance += share * missing * missing;
	site->ns_variance += ns_share * missing_ns * missing_ns;
}

void sites_round(struct site *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct site *s = &list[i];
		double calls_error = round(sqrt(s->calls_variance));
		double ns_error = round(sqrt(s->ns_variance));

		s->calls = round(s->calls);
		s->ns = round(s->ns);
		s->bytes = round(s->bytes);
		s->calls_variance = calls_error * calls_error;
		s->ns_variance = ns_error * ns_error;
	}
}

/*
 * The half width of Wilson's interval of a share of so many samples, on its longer side, in
 * standard errors: few samples that are all of one site do not say that there is no other.
 */
static double wilson_error(double share, double samples)
{
	const double z2 = ERRORS_OF_95 * ERRORS_OF_95, by = 1 + z2 / samples;
	double middle = (share + z2 / (2 * samples)) / by;
	double half =
		sqrt(z2 * share * (1 - share) / samples + z2 * z2 / (4 * samples * samples)) / by;

	return (fabs(share - middle) + half) / ERRORS_OF_95;
}

double site_share_error(double share, double variance, double of_all)
{
	double of_ratio = sqrt(fmax(0, variance * (1 - 2 * share) + share * share * of_all));

	return of_all > 0 ? fmax(of_ratio, wilson_error(share, 1 / of_all)) : of_ratio;
}

/* ---- groups ---- */

/* Do two frames look the same? */
static bool same_frame(const struct code_frame *a, const struct code_frame *b)
{
	if (a == b)
		return true;
	return a->function && a->line == b->line && same_text(a->function, b->function) &&
	       same_text(a->file, b->file) && same_text(a->object, b->object);
}

static bool same_group(const struct stacks *s, const struct site_group *a,
		       const struct site_group *b)
{
	if (a->nr != b->nr || a->cut != b->cut || a->interpreter != b->interpreter)
		return false;
	for (size_t i = 0; i < a->nr; i++)
		if (!same_frame(&s->frames[a->frames[i]], &s->frames[b->frames[i]]))
			return false;
	return true;
}

/*
 * What is the least that a frame must be for its stack to be shown? A program without debug
 * information has no lines, and an interpreter none of its own.
 */
static enum code_owner least_owner(const struct stacks *s, const struct call_stack *stack)
{
	enum code_owner best = CODE_RUNTIME;

	for (size_t i = 0; i < stack->nr; i++) {
		enum code_owner owner = code_owner(&s->frames[stack->frames[i]]);

		if (owner > best)
			best = owner;
	}
	return best;
}

/* Returns the interpreter that executes the code, the innermost one. NULL: none does. */
static const struct interpreter *interpreter_of(const struct stacks *s,
						const struct call_stack *stack)
{
	const struct interpreter *found = NULL;

	for (size_t i = 0; !found && i < stack->nr; i++)
		found = code_interpreter(&s->frames[stack->frames[i]]);
	return found;
}

/*
 * Returns the file of the outermost frame of own code with a line, whose index becomes *index, in a
 * stack that begins in another file of the runtime. NULL: there is none.
 */
static const char *own_object(const struct stacks *s, const struct call_stack *stack, size_t *index)
{
	bool apart = false;

	for (size_t i = 0; i < stack->nr; i++) {
		const char *object = s->frames[stack->frames[i]].object;

		apart = apart || (object && code_is_runtime(object));
	}
	for (size_t i = stack->nr; apart && i-- > 0;) {
		const struct code_frame *f = &s->frames[stack->frames[i]];

		*index = i;
		if (code_owner(f) == CODE_OWN)
			return f->object;
	}
	return NULL;
}

/*
 * A part of a program may be without lines, in the same file as others: its functions are own code,
 * if those of libc, which have none either, are in another file.
 */
static bool is_own_part(const struct code_frame *f, const char *own)
{
	return own && *own == '/' && f->function && code_owner(f) == CODE_UNNAMED &&
	       same_text(f->object, own);
}

/* Fills in the frames that are shown of a stack. Returns 0 or -ENOMEM. */
static int choose_frames(struct site_group *group, const struct stacks *s,
			 const struct call_stack *stack, bool whole)
{
	enum code_owner least = whole ? CODE_RUNTIME : least_owner(s, stack);
	size_t outermost = 0;
	const char *own = least == CODE_OWN ? own_object(s, stack, &outermost) : NULL;

	if (!whole && least == CODE_RUNTIME)
		group->interpreter = interpreter_of(s, stack);
	if (group->interpreter)
		return 0;
	group->cut = stack->cut;
	for (size_t i = 0; i < stack->nr; i++) {
		size_t frame = stack->frames[i], *added;

		if (code_owner(&s->frames[frame]) < least &&
		    !(i < outermost && is_own_part(&s->frames[frame], own)))
			continue;
		/* A recursion is shown once, however deep it is. */
		if (!whole && group->nr &&
		    same_frame(&s->frames[group->frames[group->nr - 1]], &s->frames[frame]))
			continue;
		added = array_append(&group->frames, &group->nr, sizeof(*added));
		if (!added)
			return -ENOMEM;
		*added = frame;
	}
	return 0;
}

static int by_share(const void *x, const void *y)
{
	const struct site_group *a = x, *b = y;

	if (a->share != b->share)
		return b->share > a->share ? 1 : -1;
	return (b->samples > a->samples) - (b->samples < a->samples);
}

static double weight_of(const struct site_group *group, enum stack_weight weight)
{
	switch (weight) {
	case WEIGHT_TIME:
		return group->ns;
	case WEIGHT_BYTES:
		return group->bytes;
	default:
		return group->calls;
	}
}

static double variance_of(const struct site *site, enum stack_weight weight)
{
	switch (weight) {
	case WEIGHT_TIME:
		return site->ns_variance;
	case WEIGHT_CALLS:
		return site->calls_variance;
	default:
		return 0;
	}
}

/* Adds a site to the group that it belongs to. Returns 0 or -ENOMEM. */
static int add_to_groups(struct site_group **groups, size_t *nr, const struct stacks *stacks,
			 const struct site *site, bool whole, enum stack_weight weight)
{
	struct site_group group = { .frames = NULL }, *found = NULL;

	if (choose_frames(&group, stacks, &stacks->stacks[site->stack], whole)) {
		free(group.frames);
		return -ENOMEM;
	}
	for (size_t i = 0; !found && i < *nr; i++)
		if (same_group(stacks, &(*groups)[i], &group))
			found = &(*groups)[i];
	if (found) {
		free(group.frames);
	} else {
		found = array_append(groups, nr, sizeof(*found));
		if (!found) {
			free(group.frames);
			return -ENOMEM;
		}
		*found = group;
	}
	found->samples += site->samples;
	found->calls += site->calls;
	found->ns += site->ns;
	found->bytes += site->bytes;
	found->variance += variance_of(site, weight);
	return 0;
}

size_t site_groups_make(struct site_group **groups, const struct stacks *stacks,
			const struct site *sites, size_t nr_sites, bool whole,
			enum stack_weight weight)
{
	double all = 0, of_all = 0;
	size_t nr = 0;

	*groups = NULL;
	for (size_t i = 0; i < nr_sites; i++) {
		if (add_to_groups(groups, &nr, stacks, &sites[i], whole, weight)) {
			site_groups_free(*groups, nr);
			return SIZE_MAX;
		}
	}
	for (size_t i = 0; i < nr; i++)
		all += weight_of(&(*groups)[i], weight);
	for (size_t i = 0; i < nr; i++) {
		struct site_group *g = &(*groups)[i];

		g->share = all > 0 ? weight_of(g, weight) / all : 0;
		g->variance = all > 0 ? g->variance / (all * all) : 0;
		of_all += g->variance;
	}
	for (size_t i = 0; i < nr; i++)
		(*groups)[i].share_error =
			site_share_error((*groups)[i].share, (*groups)[i].variance, of_all);
	if (nr)
		qsort(*groups, nr, sizeof(**groups), by_share);
	return nr;
}

void site_groups_free(struct site_group *groups, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(groups[i].frames);
	free(groups);
}
