// SPDX-License-Identifier: GPL-2.0
#include "cli/symbolize.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "model/code.h"
#include "stacks/names.h"
#include "stacks/packages.h"

/* The frames that turned out to be inlined into a frame: they come before it in each stack. */
struct inlined {
	size_t first, nr;
};

struct symbolizing {
	struct stacks *stacks;
	struct objects *objects;
	struct inlined *inlined; /* Of each frame that there was. */
	size_t nr;
	bool by_path;
};

/* Reads a build id in hexadecimal digits. What is none leaves the id without one. */
static void parse_build_id(struct object_id *id, const char *digits)
{
	size_t size = digits ? strlen(digits) / 2 : 0;
	unsigned byte;
	int used;

	memset(id, 0, sizeof(*id));
	if (!size || size > BUILD_ID_SIZE || digits[2 * size])
		return;
	for (size_t i = 0; i < size; i++) {
		if (sscanf(digits + 2 * i, "%2x%n", &byte, &used) != 1 || used != 2)
			return;
		id->build_id[i] = (uint8_t)byte;
	}
	id->build_id_size = size;
}

/* Adds a frame at the same place in the same file. Returns 0 or -ENOMEM. */
static int add_inlined(struct symbolizing *s, size_t into, struct name *name)
{
	struct code_frame *added =
		array_append(&s->stacks->frames, &s->stacks->nr_frames, sizeof(*added));
	const struct code_frame *f = &s->stacks->frames[into];

	if (!added)
		return -ENOMEM;
	added->function = name->function;
	added->file = name->file;
	name->function = name->file = NULL; /* They are the frame's now. */
	added->line = name->line;
	added->offset = f->offset;
	added->inlined = true;
	return copy_text(&added->object, f->object) || copy_text(&added->build_id, f->build_id)
		       ? -ENOMEM
		       : 0;
}

/* Names a frame. Returns 0 or -ENOMEM. */
static int use_names(struct symbolizing *s, size_t frame, struct name *names, size_t nr)
{
	struct code_frame *f = &s->stacks->frames[frame];
	struct name *outer = &names[nr - 1];
	int err = 0;

	if (f->function && !outer->file && !s->by_path)
		return 0; /* That is no more than what is known. */
	if (outer->function || s->by_path) {
		free(f->function);
		f->function = outer->function;
		outer->function = NULL;
	}
	free(f->package);
	f->package = NULL; /* It is not missing any more. */
	f->file = outer->file;
	f->line = outer->line;
	outer->file = NULL;
	s->inlined[frame] = (struct inlined){ s->stacks->nr_frames, nr - 1 };
	for (size_t i = 0; !err && i + 1 < nr; i++)
		err = add_inlined(s, frame, &names[i]);
	return err;
}

static int name_frame(struct symbolizing *s, size_t frame)
{
	struct code_frame *f = &s->stacks->frames[frame];
	struct object_id id;
	struct object *object;
	struct name *names;
	size_t nr;
	int err;

	parse_build_id(&id, f->build_id);
	if (f->file || f->inlined || !f->object || (!id.build_id_size && !s->by_path))
		return 0;
	object = objects__find(s->objects, &id, f->object);
	if (!object)
		return 0;
	nr = names_find(s->objects, object, object->base + f->offset, &names);
	/* strace tells the nearest symbol, however far away it is. */
	if (!nr && s->by_path) {
		free(f->function);
		f->function = NULL;
	}
	err = nr ? use_names(s, frame, names, nr) : 0;
	names_free(names, nr);
	return err;
}

/* Puts the inlined frames into a stack. Returns 0 or -ENOMEM. */
static int extend_stack(const struct symbolizing *s, struct call_stack *stack)
{
	struct call_stack longer = { .cut = stack->cut };

	for (size_t i = 0; i < stack->nr; i++) {
		size_t frame = stack->frames[i];
		const struct inlined *inlined = &s->inlined[frame];

		for (size_t k = 0; k <= inlined->nr; k++) {
			size_t *index = array_append(&longer.frames, &longer.nr, sizeof(*index));

			if (!index) {
				free(longer.frames);
				return -ENOMEM;
			}
			*index = k < inlined->nr ? inlined->first + k : frame;
		}
	}
	free(stack->frames);
	*stack = longer;
	return 0;
}

const char *symbolize_lacks(void)
{
	return NULL;
}

int symbolize(struct stacks *stacks, bool by_path, bool whole)
{
	struct symbolizing s = { .stacks = stacks, .nr = stacks->nr_frames, .by_path = by_path };
	int err = 0;

	if (!s.nr)
		return 0;
	s.inlined = calloc(s.nr, sizeof(*s.inlined));
	s.objects = objects__new(whole ? NULL : code_is_runtime);
	if (!s.inlined || !s.objects)
		err = -ENOMEM;
	for (size_t i = 0; !err && i < s.nr; i++)
		err = name_frame(&s, i);
	for (size_t i = 0; !err && i < stacks->nr_stacks; i++)
		err = extend_stack(&s, &stacks->stacks[i]);
	objects__free(s.objects);
	free(s.inlined);
	stacks->unnamed = false;
	return err;
}

/* ---- packages ---- */

/* A file, and the package that has its debug information. */
struct packaged {
	const char *path, *build_id;
	char *package;
};

struct packaging {
	struct stacks *stacks;
	struct objects *objects;
	struct packaged *list;
	size_t nr;
};

/* Returns a file of which the package has been looked for; NULL without memory. */
static const struct packaged *look_up(struct packaging *p, const struct code_frame *f)
{
	struct packaged *added;
	struct object_id id;

	for (size_t i = 0; i < p->nr; i++)
		if (!strcmp(p->list[i].path, f->object) &&
		    same_text(p->list[i].build_id, f->build_id))
			return &p->list[i];
	added = array_append(&p->list, &p->nr, sizeof(*added));
	if (!added)
		return NULL;
	added->path = f->object;
	added->build_id = f->build_id;
	parse_build_id(&id, f->build_id);
	/* In a container the same path is another file. */
	if (id.build_id_size && objects__find(p->objects, &id, f->object))
		added->package = debug_package_of(f->object);
	return added;
}

/* Names the package of the nearest frame of a site that is shown. Returns 0 or -ENOMEM. */
static int package_site(struct packaging *p, const struct site_group *g)
{
	struct code_frame *f = g->nr ? &p->stacks->frames[g->frames[0]] : NULL;
	const struct packaged *found;

	if (!f || f->file || !f->object || f->package)
		return 0;
	found = look_up(p, f);
	return found ? copy_text(&f->package, found->package) : -ENOMEM;
}

static int package_sites(struct packaging *p, const struct site *sites, size_t nr_sites)
{
	struct site_group *groups;
	size_t nr = site_groups_make(&groups, p->stacks, sites, nr_sites, false, WEIGHT_CALLS);
	int err = 0;

	if (nr == SIZE_MAX)
		return -ENOMEM;
	for (size_t i = 0; !err && i < nr; i++)
		err = package_site(p, &groups[i]);
	site_groups_free(groups, nr);
	return err;
}

int symbolize_packages(struct stacks *s, const struct result *r, bool all)
{
	struct packaging p = { .stacks = s, .objects = objects__new(code_is_runtime) };
	int err = p.objects ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < r->findings.nr; i++)
		err = package_sites(&p, r->findings.list[i].sites, r->findings.list[i].nr_sites);
	for (size_t i = 0; !err && all && i < r->nr_files; i++)
		err = package_sites(&p, r->files[i].sites, r->files[i].nr_sites);
	if (!err && all)
		err = package_sites(&p, s->sites, s->nr_sites);
	for (size_t i = 0; i < p.nr; i++)
		free(p.list[i].package);
	free(p.list);
	objects__free(p.objects);
	return err;
}
