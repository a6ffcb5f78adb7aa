// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/stacks/interpreters.h"

#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static void tell_probes(const struct interpreters *in, const struct iotrace_interpreter_key *key,
			const struct python_layout *l)
{
	struct iotrace_python python = { .state = INTERPRETER_NONE };

	if (l)
		python = (struct iotrace_python){
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
		};
	bpf_map_update_elem(in->map, key, &python, BPF_ANY);
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

	if (interpreters__find(in, key))
		return true;
	if (is_other(in, key))
		return false;
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
		bpf_map_delete_elem(in->map, &in->others[i].key);
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
			bpf_map_delete_elem(in->map, &in->pythons[i].key);
		else
			in->pythons[kept++] = in->pythons[i];
	}
	in->nr_pythons = kept;
}

void interpreters__free(struct interpreters *in)
{
	free(in->pythons);
}
