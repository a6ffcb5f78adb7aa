// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/stacks/interpreters.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Returns where the probes are told of a process. NULL: they are not. */
static struct iotrace_interpreter *find_told(const struct interpreters *in,
					     const struct iotrace_interpreter_key *key)
{
	for (u32 i = 0; i < INTERPRETER_PLACES; i++) {
		struct iotrace_interpreter *told = &in->told[interpreter_place(key->tgid, i)];

		if (!memcmp(&told->key, key, sizeof(*key)))
			return told;
	}
	return NULL;
}

/* Chooses where they are told: in a free place, or in another one's. */
static struct iotrace_interpreter *choose_place(const struct interpreters *in, u32 tgid)
{
	for (u32 i = 0; i < INTERPRETER_PLACES; i++)
		if (!in->told[interpreter_place(tgid, i)].key.tgid)
			return &in->told[interpreter_place(tgid, i)];
	return &in->told[interpreter_place(tgid, in->nr_others % INTERPRETER_PLACES)];
}

static void tell_probes(const struct interpreters *in, const struct iotrace_interpreter_key *key,
			const struct python_layout *l)
{
	struct iotrace_interpreter *to = choose_place(in, key->tgid);

	__atomic_store_n(&to->key.tgid, 0, __ATOMIC_SEQ_CST);
	to->key.exec_id = key->exec_id;
	to->python = (struct iotrace_python){ .state = INTERPRETER_NONE };
	if (l)
		to->python = (struct iotrace_python){
			.state = INTERPRETER_PYTHON,
			.runtime = l->runtime,
			.interpreters_head = l->interpreters_head,
			.threads_head = l->threads_head,
			.next = l->next,
			.thread_id = l->thread_id,
			.frame = l->frame,
			.indirect = l->indirect,
			.previous = l->previous,
			.code = l->code,
			.instruction = l->instruction,
			.filename = l->filename,
			.name = l->name,
			.line_table = l->line_table,
		};
	__atomic_store_n(&to->key.tgid, key->tgid, __ATOMIC_RELEASE);
}

/* The probes are not to know a process any more. */
static void withdraw(const struct interpreters *in, const struct iotrace_interpreter_key *key)
{
	struct iotrace_interpreter *told = find_told(in, key);

	if (told)
		__atomic_store_n(&told->key.tgid, 0, __ATOMIC_SEQ_CST);
}

const struct python_process *interpreters__find(const struct interpreters *in,
						const struct iotrace_interpreter_key *key)
{
	for (size_t i = in->nr_pythons; i-- > 0;)
		if (!memcmp(&in->pythons[i].key, key, sizeof(*key)))
			return &in->pythons[i];
	return NULL;
}

static bool is_other(const struct interpreters *in, const struct iotrace_interpreter_key *key)
{
	for (size_t i = 0; i < NR_OTHERS && i < in->nr_others; i++)
		if (!memcmp(&in->others[i].key, key, sizeof(*key)))
			return true;
	return false;
}

bool interpreters__learn(struct interpreters *in, const struct iotrace_interpreter_key *key,
			 const struct space *space, struct objects *objects)
{
	struct python_process process = { .key = *key, .pid = space->pid }, *added = NULL;
	const struct python_process *known = interpreters__find(in, key);

	if (known || is_other(in, key)) {
		/* Another one may have its place, and a sample may be older than what was told. */
		if (!find_told(in, key))
			tell_probes(in, key, known ? &known->layout : NULL);
		return known;
	}
	if (python_find(&process.layout, space, objects))
		added = array_append(&in->pythons, &in->nr_pythons, sizeof(*added));
	if (added) {
		process.instance = in->nr_instances++;
		*added = process;
	} else {
		in->others[in->nr_others++ % NR_OTHERS] =
			(struct other_process){ *key, space->pid };
	}
	tell_probes(in, key, added ? &process.layout : NULL);
	return added;
}

/* A process that was none may be one now. */
static void forget_others(struct interpreters *in, pid_t pid)
{
	for (size_t i = 0; i < NR_OTHERS && i < in->nr_others; i++) {
		if (in->others[i].pid != pid)
			continue;
		withdraw(in, &in->others[i].key);
		in->others[i] = (struct other_process){ { 0 }, 0 };
	}
}

void interpreters__map(struct interpreters *in, pid_t pid, const char *path)
{
	if (python_version(path))
		forget_others(in, pid);
}

void interpreters__forget(struct interpreters *in, pid_t pid)
{
	size_t kept = 0;

	forget_others(in, pid);
	for (size_t i = 0; i < in->nr_pythons; i++) {
		if (in->pythons[i].pid == pid)
			withdraw(in, &in->pythons[i].key);
		else
			in->pythons[kept++] = in->pythons[i];
	}
	in->nr_pythons = kept;
}

void interpreters__free(struct interpreters *in)
{
	free(in->pythons);
}
