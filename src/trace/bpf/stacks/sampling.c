// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/stacks/sampling.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/helper_thread.h"
#include "base/message.h"
#include "base/text.h"
#include "model/code.h"
#include "stacks/perf_map.h"
#include "stacks/python.h"
#include "stacks/unwind.h"
#include "trace/bpf/stacks/code_names.h"
#include "trace/bpf/stacks/held.h"
#include "trace/bpf/stacks/interpreters.h"
#include "trace/bpf/stacks/map_events.h"
#include "trace/bpf/stacks/tallies.h"
#include "trace/privilege.h"

struct sampling {
	struct bpf_state *state;
	struct ring_buffer *ring;
	struct map_events *events; /* NULL: the kernel does not tell. */
	struct map_event *pending; /* Events that are later than the last sample. */
	size_t nr_pending;
	struct objects *objects;
	struct spaces *spaces;
	struct unwinder *unwinder;
	struct helper_thread thread;
	struct interpreters interpreters;
	struct python_places places;
	struct perf_maps *made;
	struct held_samples held;
	struct tallies tallies;
	uint64_t samples, lost;
};

/* ---- what is mapped ---- */

static void apply(struct sampling *s, const struct map_event *event)
{
	struct mapping m = { event->start, event->end, event->offset, NULL };

	switch (event->kind) {
	case MAP_EVENT_MAP:
		m.object = mapped_object(s->objects, &event->id, event->path, event->start);
		spaces__map(s->spaces, event->pid, &m);
		interpreters__map(&s->interpreters, event->pid, event->path);
		break;
	case MAP_EVENT_FORK:
		spaces__fork(s->spaces, event->pid, event->parent);
		break;
	case MAP_EVENT_EXEC:
		spaces__exec(s->spaces, event->pid);
		interpreters__forget(&s->interpreters, event->pid);
		perf_maps__forget(s->made, event->pid);
		break;
	case MAP_EVENT_EXIT:
		spaces__forget(s->spaces, event->pid);
		interpreters__forget(&s->interpreters, event->pid);
		perf_maps__forget(s->made, event->pid);
		break;
	}
}

/* Reads what the kernel has told, and applies it up to a time. */
static void apply_until(struct sampling *s, uint64_t ns)
{
	size_t done = 0;

	if (!s->events)
		return;
	if (map_events__read(s->events, &s->pending, &s->nr_pending))
		spaces__forget_all(s->spaces); /* They are read from /proc when they are needed. */
	while (done < s->nr_pending && s->pending[done].at_ns <= ns)
		apply(s, &s->pending[done++]);
	map_events_drop(&s->pending, &s->nr_pending, done);
}

/* ---- samples ---- */

/* The registers of 32-bit code have other numbers in DWARF. */
static void set_registers(struct snapshot *to, const struct iotrace_stack_sample *from)
{
	static const unsigned i386[] = { STACK_RAX, STACK_RCX, STACK_RDX, STACK_RBX, STACK_RSP,
					 STACK_RBP, STACK_RSI, STACK_RDI, STACK_RIP };

	if (to->machine != MACHINE_X86_32) {
		memcpy(to->registers, from->registers, sizeof(to->registers));
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(i386); i++)
		to->registers[i] = (uint32_t)from->registers[i386[i]];
}

/* Finds the address space of a sample's process. NULL: it is not known. */
static const struct space *find_space(struct sampling *s, pid_t pid)
{
	const struct space *space = spaces__find(s->spaces, pid);

	if (!space && pid > 0 && !spaces__read(s->spaces, pid, s->objects))
		space = spaces__find(s->spaces, pid);
	return space;
}

/* 64-bit code is of x32 if its file says so. */
static enum machine machine_at(struct sampling *s, const struct space *space, uint64_t pc)
{
	uint64_t address = space_address(space, s->objects, pc);

	return address && objects__at(s->objects, MACHINE_X32, address) ? MACHINE_X32
									: MACHINE_X86_64;
}

/* ---- Python ---- */

/* Finds a place in the code of a process. SIZE_MAX: it is not known. */
static size_t find_place(struct sampling *s, const struct iotrace_interpreter_key *key,
			 const struct iotrace_python_frame *frame)
{
	const struct python_process *process = interpreters__find(&s->interpreters, key);

	return process ? python_places__find(&s->places, process->instance, process->pid,
					     &process->layout, frame)
		       : SIZE_MAX;
}

/*
 * Finds a place in the code of a sample's process. A child has its parent's code, where its names
 * are known mostly, and that which it has made since.
 */
static size_t find_python(struct sampling *s, const struct iotrace_stack_sample *sample,
			  const struct space *space, const struct iotrace_python_frame *frame)
{
	size_t place = find_place(s, &sample->known, frame);

	if (place == SIZE_MAX && memcmp(&sample->known, &sample->process, sizeof(sample->known))) {
		interpreters__learn(&s->interpreters, &sample->process, space, s->objects);
		place = find_place(s, &sample->process, frame);
	}
	return place;
}

/*
 * Puts the frames of Python in the place of the interpreter's: those of the functions that it has
 * called stay before them, and nothing after them.
 */
static void insert_python(struct sampling *s, const struct iotrace_stack_sample *sample,
			  const struct space *space, struct chain *chain)
{
	const struct python_process *process = interpreters__find(&s->interpreters, &sample->known);
	const struct python_layout *l = process ? &process->layout : NULL;
	size_t at = 0;
	bool any = false, missing = false;

	if (!l)
		return;
	while (at < chain->nr &&
	       chain->frames[at].address - l->loop_start >= l->loop_end - l->loop_start)
		at++;
	for (size_t i = 0; i < sample->nr_python && i < PYTHON_FRAMES; i++) {
		size_t place = find_python(s, sample, space, &sample->python[i]);

		missing = place == SIZE_MAX || at == MAX_FRAMES;
		if (missing || !s->places.list[place].function)
			continue;
		chain->frames[at++] = (struct frame){ FRAME_PYTHON, place };
		chain->nr = at;
		any = true;
	}
	/* Of a process that has ended, some names may not have been read. */
	if (any)
		chain->cut = sample->python_cut || missing;
}

/* Finds the functions of code that is in no file. */
static void find_made(struct sampling *s, pid_t pid, struct chain *chain)
{
	for (size_t i = 0; i < chain->nr; i++) {
		const struct frame *frame = &chain->frames[i];
		size_t made = frame->kind == FRAME_UNKNOWN
				      ? perf_maps__find(s->made, pid, frame->address)
				      : SIZE_MAX;

		if (made != SIZE_MAX)
			chain->frames[i] = (struct frame){ FRAME_MADE, made };
	}
}

static void count(struct sampling *s, const struct iotrace_sampled_call *call,
		  const struct chain *chain, enum machine machine)
{
	if (tallies__count(&s->tallies, call, chain, machine))
		s->lost++;
	else
		s->samples++;
}

static int take_sample(void *arg, void *data, size_t size)
{
	const struct iotrace_stack_sample *sample = data;
	uint64_t pc = sample->registers[STACK_RIP], sp = sample->registers[STACK_RSP];
	struct snapshot snapshot = { .machine = MACHINE_X86_64 };
	struct sampling *s = arg;
	const struct space *space;
	struct chain chain;
	bool taught;

	if (size < sizeof(*sample))
		return 0;
	apply_until(s, sample->at_ns);
	space = find_space(s, sample->pid);
	if (!space) {
		s->lost++;
		return 0;
	}
	/* Without its own frames, a sample of Python says little: others will stand for it. */
	taught = sample->state != INTERPRETER_PYTHON &&
		 interpreters__learn(&s->interpreters, &sample->process, space, s->objects);
	snapshot.machine = sample->code_32 ? MACHINE_X86_32 : machine_at(s, space, pc);
	set_registers(&snapshot, sample);
	snapshot.start = sp & ~(STACK_PAGE_SIZE - 1ULL);
	snapshot.stack = sample->stack;
	snapshot.size = (size_t)sample->pages * STACK_PAGE_SIZE;
	unwinder__walk(s->unwinder, space, &snapshot, &chain);
	if (sample->nr_python)
		insert_python(s, sample, space, &chain);
	find_made(s, sample->pid, &chain);
	if (sample->nr_python)
		held__drop(&s->held, sample);
	if (!taught || !held__add(&s->held, sample, &chain, snapshot.machine))
		count(s, &sample->call, &chain, snapshot.machine);
	return 0;
}

/* ---- the thread ---- */

static void *listen(void *arg)
{
	struct sampling *s = arg;
	size_t nr_events = s->events ? map_events__count(s->events) : 0, nr = 2 + nr_events;
	struct pollfd *fds = calloc(nr, sizeof(*fds));
	/* The main thread drops its own rights: these are the thread's. */
	int err = fds ? privilege_drop_all_but_reading() : -ENOMEM;
	uint64_t now;

	if (err) {
		message_note("no stacks are read: %s", strerror(-err));
		free(fds);
		return NULL;
	}
	fds[0] = (struct pollfd){ .fd = s->thread.end_fd, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = ring_buffer__epoll_fd(s->ring), .events = POLLIN };
	if (s->events)
		map_events__poll(s->events, fds + 2, nr_events);
	do {
		/* All samples up to now come first. */
		now = monotonic_ns();
		ring_buffer__consume(s->ring);
		apply_until(s, now);
		if (poll(fds, nr, -1) < 0 && errno != EINTR)
			break;
	} while (!fds[0].revents);
	ring_buffer__consume(s->ring);
	free(fds);
	return NULL;
}

const char *sampling__is_missing(void)
{
	return NULL;
}

int sampling__open(struct sampling **sampling, struct bpf_state *state)
{
	struct sampling *s = calloc(1, sizeof(*s));

	*sampling = s;
	if (!s)
		return -ENOMEM;
	s->state = state;
	s->interpreters.told = state->skel->bss->interpreters;
	s->objects = objects__new(state->options->whole_stacks ? NULL : code_is_runtime);
	s->spaces = spaces__new();
	s->made = perf_maps__new();
	s->unwinder = s->objects ? unwinder__new(s->objects) : NULL;
	if (!s->unwinder || !s->spaces || !s->made)
		return -ENOMEM;
	s->ring = ring_buffer__new(bpf_map__fd(state->skel->maps.stack_samples), take_sample, s,
				   NULL);
	if (!s->ring)
		return -errno;
	/* Without it, the code of processes that live is known, from /proc. */
	if (map_events__open(&s->events)) {
		map_events__close(s->events);
		s->events = NULL;
	}
	return 0;
}

int sampling__start(struct sampling *s)
{
	return helper_thread_start(&s->thread, listen, s);
}

void sampling__learn(struct sampling *s, pid_t pid)
{
	spaces__read(s->spaces, pid, s->objects);
}

void sampling__stop(struct sampling *s)
{
	helper_thread_end(&s->thread);
	for (size_t i = 0; i < s->held.nr; i++)
		count(s, &s->held.list[i].call, s->held.list[i].chain, s->held.list[i].machine);
	held__free(&s->held);
}

/* Functions that were inlined stand in the .dwo files of debug information alone. */
static void note_lacking_split(const struct sampling *s)
{
	const struct object *o = objects__lacking_split(s->objects);
	char path[512];

	if (o && !s->state->options->quiet)
		message_note(
			"the debug information of '%s' is in .dwo files that are not there: functions that were inlined are not told apart",
			ESCAPE_TEXT(path, o->path));
}

int sampling__read(struct sampling *s, struct profile *p)
{
	struct code_names names = { s->objects, &s->places, s->made };
	int err;

	p->stacks.samples = s->samples;
	p->stacks.lost = s->lost + s->state->skel->bss->samples_lost;
	err = code_names__add(p, &s->tallies, &names, &s->state->calls);
	note_lacking_split(s);
	return err;
}

void sampling__close(struct sampling *s)
{
	if (!s)
		return;
	sampling__stop(s);
	ring_buffer__free(s->ring);
	map_events_drop(&s->pending, &s->nr_pending, s->nr_pending);
	free(s->pending);
	map_events__close(s->events);
	unwinder__free(s->unwinder);
	spaces__free(s->spaces);
	objects__free(s->objects);
	held__free(&s->held);
	tallies__free(&s->tallies);
	interpreters__free(&s->interpreters);
	python_places__free(&s->places);
	perf_maps__free(s->made);
	free(s);
}
