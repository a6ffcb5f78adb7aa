// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/stacks/code_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/code.h"
#include "model/profile_files.h"
#include "stacks/names.h"

/* The frames of an address, which is named once. */
struct named {
	struct frame frame;
	enum machine machine;
	size_t first, nr; /* Among the frames of the profile. */
};

struct naming {
	const struct code_names *from;
	struct stacks *stacks;
	struct named *list; /* In ascending order. */
	size_t nr;
};

/* Writes bytes as hexadecimal digits. Returns a text to be freed, NULL without memory. */
static char *hexadecimal(const uint8_t *bytes, size_t size)
{
	char *text = malloc(2 * size + 1), *to = text;

	for (size_t i = 0; text && i < size; i++)
		to += sprintf(to, "%02x", bytes[i]);
	if (text)
		*to = '\0';
	return text;
}

/* Adds a frame of an object, or of none. Returns it, NULL without memory. */
static struct code_frame *add_frame(struct naming *n, const struct object *o, uint64_t address)
{
	struct code_frame *frame =
		array_append(&n->stacks->frames, &n->stacks->nr_frames, sizeof(*frame));

	if (!frame)
		return NULL;
	frame->offset = o ? address - o->base : address;
	if (!o)
		return frame;
	frame->object = strdup(o->path);
	if (o->id.build_id_size)
		frame->build_id = hexadecimal(o->id.build_id, o->id.build_id_size);
	return frame;
}

/* Adds a frame of Python, in the file of its interpreter. Returns 0 or -ENOMEM. */
static int name_place(struct naming *n, size_t index)
{
	const struct python_place *place = &n->from->places->list[index];
	struct code_frame *frame = add_frame(n, NULL, 0);

	if (!frame)
		return -ENOMEM;
	frame->function = strdup(place->function);
	frame->file = strdup(place->file);
	frame->line = place->line;
	frame->object = strdup("python");
	return frame->function && frame->file && frame->object ? 0 : -ENOMEM;
}

/* Adds a frame of a function that a program has made itself. Returns 0 or -ENOMEM. */
static int name_made(struct naming *n, size_t index)
{
	const struct made_function *made = perf_maps__get(n->from->made, index);
	struct code_frame *frame = add_frame(n, NULL, 0);
	const char *function, *path;
	size_t len, path_len;

	if (!frame)
		return -ENOMEM;
	len = perf_map_split(made->name, &function, &path, &path_len, &frame->line);
	frame->function = len ? strndup(function, len) : strdup(made->name);
	if (len)
		frame->file = strndup(path, path_len);
	frame->object = strdup(MADE_CODE);
	return frame->function && frame->object && (!len || frame->file) ? 0 : -ENOMEM;
}

/* Adds the frames of an address. Returns 0 or -ENOMEM. */
static int name_address(struct naming *n, const struct object *o, uint64_t address)
{
	struct code_frame *frame;
	struct name *names = NULL;
	size_t nr = o ? names_find(n->from->objects, o, address, &names) : 0, i;

	for (i = 0; i < nr; i++) {
		frame = add_frame(n, o, address);
		if (!frame)
			break;
		frame->function = names[i].function;
		frame->file = names[i].file;
		frame->line = names[i].line;
		frame->inlined = names[i].inlined;
		names[i].function = names[i].file = NULL; /* They are the frame's now. */
	}
	if (!nr && !add_frame(n, o, address))
		i = 1;
	names_free(names, nr);
	return i == nr ? 0 : -ENOMEM;
}

static int name_frame(struct naming *n, const struct frame *frame, enum machine machine)
{
	switch (frame->kind) {
	case FRAME_PYTHON:
		return name_place(n, frame->address);
	case FRAME_MADE:
		return name_made(n, frame->address);
	case FRAME_OBJECT:
		return name_address(n, objects__at(n->from->objects, machine, frame->address),
				    frame->address);
	default:
		return name_address(n, NULL, frame->address);
	}
}

static int compare(const struct named *a, const struct frame *frame, enum machine machine)
{
	if (a->machine != machine)
		return a->machine < machine ? -1 : 1;
	if (a->frame.kind != frame->kind)
		return a->frame.kind < frame->kind ? -1 : 1;
	return (a->frame.address > frame->address) - (a->frame.address < frame->address);
}

/* Returns the frames of an address, named if they are not yet. NULL without memory. */
static const struct named *frames_of(struct naming *n, const struct frame *frame,
				     enum machine machine)
{
	size_t low = 0, high = n->nr;
	struct named *named;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&n->list[middle], frame, machine) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < n->nr && !compare(&n->list[low], frame, machine))
		return &n->list[low];
	named = array_insert(&n->list, &n->nr, low, sizeof(*named));
	if (!named)
		return NULL;
	named->frame = *frame;
	named->machine = machine;
	named->first = n->stacks->nr_frames;
	if (name_frame(n, frame, machine))
		return NULL;
	named->nr = n->stacks->nr_frames - named->first;
	return named;
}

/* Nothing calls the entry of a program or of ld.so, whose call frame information may not say so. */
static bool is_entry(const struct code_frame *f)
{
	return f->function && !strcmp(f->function, "_start");
}

static int add_stack(struct naming *n, const struct known_chain *chain)
{
	struct call_stack *stack =
		array_append(&n->stacks->stacks, &n->stacks->nr_stacks, sizeof(*stack));

	if (!stack)
		return -ENOMEM;
	stack->cut = chain->cut;
	for (size_t i = 0; i < chain->nr; i++) {
		const struct named *named = frames_of(n, &chain->frames[i], chain->machine);

		for (size_t f = 0; named && f < named->nr; f++) {
			size_t *index = array_append(&stack->frames, &stack->nr, sizeof(*index));

			if (!index)
				return -ENOMEM;
			*index = named->first + f;
		}
		if (!named)
			return -ENOMEM;
	}
	if (stack->nr && is_entry(&n->stacks->frames[stack->frames[stack->nr - 1]]))
		stack->cut = false;
	return 0;
}

/* Adds the samples of a file, or of calls without one. Returns 0 or -ENOMEM. */
static int add_site(struct profile *p, const struct tally *t, const struct bpf_slot_calls *calls)
{
	int index = bpf_slots_call(calls, t->slot);
	struct site site = t->site;
	struct file_stats *f;

	if (index < 0)
		return 0;
	site.abi = CALL_ABI(index);
	site.nr = CALL_NR(index);
	if (!t->row)
		return sites_add(&p->stacks.sites, &p->stacks.nr_sites, &site);
	f = (struct file_stats *)profile_find_file(p, t->row);
	if (!f)
		return 0;
	return sites_add(&f->sites, &f->nr_sites, &site);
}

int code_names__add(struct profile *p, const struct tallies *tallies,
		    const struct code_names *names, const struct bpf_slot_calls *calls)
{
	struct naming n = { .from = names, .stacks = &p->stacks };
	int err = 0;

	for (size_t i = 0; !err && i < tallies->nr_chains; i++)
		err = add_stack(&n, &tallies->chains[i]);
	for (size_t i = 0; !err && i < tallies->nr; i++)
		err = add_site(p, &tallies->list[i], calls);
	sites_round(p->stacks.sites, p->stacks.nr_sites);
	free(n.list);
	return err;
}
