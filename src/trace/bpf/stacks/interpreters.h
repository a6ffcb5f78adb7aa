/* SPDX-License-Identifier: GPL-2.0 */
/* Which processes execute Python: what the probes, which read its frames, are told of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "bpf/iotrace.h"
#include "stacks/python.h"

/* A process that executes Python, from one execve to the next. */
struct python_process {
	struct iotrace_interpreter_key key;
	pid_t pid;	   /* As iotrace sees it. */
	unsigned instance; /* A pid may be used again: no two processes have the same. */
	struct python_layout layout;
};

/* A process that executes none. */
struct other_process {
	struct iotrace_interpreter_key key;
	pid_t pid;
};

/* Others whose last samples may not show that they were looked at. */
#define NR_OTHERS 64

struct interpreters {
	struct iotrace_interpreter *told; /* The probes' table, of INTERPRETERS. */
	struct python_process *pythons;
	size_t nr_pythons;
	unsigned nr_instances;
	struct other_process others[NR_OTHERS];
	size_t nr_others; /* So many were noted; the older ones are gone. */
};

/* Returns the process that a sample is of. NULL: it executes no Python, as far as is known. */
const struct python_process *interpreters__find(const struct interpreters *in,
						const struct iotrace_interpreter_key *key);

/*
 * Does a process execute Python, which the probes did not know? Tells them what it executes. It
 * opens files, and reads the process's memory.
 */
bool interpreters__learn(struct interpreters *in, const struct iotrace_interpreter_key *key,
			 const struct space *space, struct objects *objects);

/* A process has mapped a file. If it is an interpreter, the process is looked at again. */
void interpreters__map(struct interpreters *in, pid_t pid, const char *path);

/* A process has ended, or executes another program. */
void interpreters__forget(struct interpreters *in, pid_t pid);

void interpreters__free(struct interpreters *in);
