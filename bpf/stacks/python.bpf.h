/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frames of CPython, read with a sample: when user space has it, the program has gone on. User
 * space says of each process that executes Python where its interpreter keeps them, and names
 * them: a sample has addresses alone.
 */
#pragma once

#include "kernel/kernel.bpf.h"

/* Threads of a process that are looked through for the current one. */
#define PYTHON_THREADS 128

struct iotrace_interpreter interpreters[INTERPRETERS];

static __always_inline u64 user_word(u64 address)
{
	u64 word = 0;

	bpf_probe_read_user(&word, sizeof(word), (const void *)address);
	return word;
}

/* Finds what user space knows of a process. NULL: it has not looked at it yet. */
static __always_inline const struct iotrace_interpreter *find_known(u32 tgid, u64 exec_id)
{
	for (u32 i = 0; i < INTERPRETER_PLACES; i++) {
		const struct iotrace_interpreter *in = &interpreters[interpreter_place(tgid, i)];

		if (in->key.tgid == tgid && in->key.exec_id == exec_id)
			return in;
	}
	return NULL;
}

/*
 * Finds it of the current process, or of its parent if neither has executed another program since
 * the fork: the child may end before user space has looked at it. A foster parent's number may be
 * the same by chance, so user space believes only what it finds in the parent's memory.
 */
static __always_inline const struct iotrace_interpreter *find_interpreter(struct task_struct *task)
{
	const struct iotrace_interpreter *in = find_known(task->tgid, task->self_exec_id);
	struct task_struct *parent = task->real_parent;

	if (!in && task->self_exec_id == task->parent_exec_id &&
	    parent->self_exec_id == task->parent_exec_id)
		in = find_known(parent->tgid, parent->self_exec_id);
	return in;
}

/* A walk along the states of threads, or along the frames of one. */
struct python_walk {
	const struct iotrace_python *python;
	struct iotrace_stack_sample *sample;
	u64 self; /* The thread that is looked for: the address of its own data (pthread_self). */
	u64 at;	  /* The state, or the frame, that comes next. 0: there is none. */
};

/* These end the walk by 1. */
static long find_thread(u32 i __attribute__((unused)), struct python_walk *walk)
{
	if (!walk->at || user_word(walk->at + walk->python->thread_id) == walk->self)
		return 1;
	walk->at = user_word(walk->at + walk->python->next);
	return 0;
}

static long read_frame(u32 i, struct python_walk *walk)
{
	struct iotrace_stack_sample *sample = walk->sample;
	const struct iotrace_python *python = walk->python;
	u64 code, name;

	if (i >= PYTHON_FRAMES || !walk->at)
		return 1;
	sample->python[i].code = user_word(walk->at + python->code);
	code = sample->python[i].code & PYTHON_CODE;
	name = user_word(code + python->name);
	sample->python[i].contents = python_contents(user_word(code + python->filename), name,
						     user_word(name + PYTHON_TEXT_HASH),
						     user_word(code + python->line_table));
	sample->python[i].at = user_word(walk->at + python->instruction);
	sample->nr_python = i + 1;
	walk->at = user_word(walk->at + python->previous);
	return 0;
}

/*
 * The verifier looks at the body of bpf_loop() once, at that of a loop each time, which takes
 * it a good part of each start. Before Linux 5.17 there are only loops.
 */
#ifdef WITHOUT_CASTS
#define WALK(times, step, walk)           \
	for (u32 i = 0; i < (times); i++) \
		if (step(i, walk))        \
	break
#else
#define WALK(times, step, walk) bpf_loop(times, step, walk, 0)
#endif

/* Fills in the frames of a sample, from the innermost outwards. */
static __noinline int read_python(struct iotrace_stack_sample *sample,
				  const struct iotrace_python *python, u64 self)
{
	struct python_walk walk = { .python = python, .sample = sample, .self = self };

	walk.at = user_word(python->runtime + python->interpreters_head);
	if (walk.at)
		walk.at = user_word(walk.at + python->threads_head);
	WALK(PYTHON_THREADS, find_thread, &walk);
	/* The last of so many threads may not be the one, either. */
	if (!walk.at || user_word(walk.at + python->thread_id) != self)
		return 0;
	walk.at = user_word(walk.at + python->frame);
	if (walk.at && python->indirect)
		walk.at = user_word(walk.at + python->indirect - 1);
	WALK(PYTHON_FRAMES, read_frame, &walk);
	sample->python_cut = walk.at != 0;
	return 0;
}
