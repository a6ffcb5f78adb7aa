/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says why the kernel does not let the caller trace a process. It follows __ptrace_may_access() in
 * kernel/ptrace.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The facts of caller and process that the kernel compares. */
struct refusal_facts {
	unsigned uid, gid; /* Effective ids of the caller. */
	uint64_t caps;
	bool may_trace_all; /* CAP_SYS_PTRACE is among the caller's capabilities. */
	unsigned their_uids[3], their_gids[3]; /* Real, effective and saved ids of the process. */
	uint64_t their_caps;		       /* Its permitted capabilities. */
	bool same_namespace;		       /* It is in the caller's user namespace. */
	bool undumpable;		       /* It is known not to be dumpable. */
	int ptrace_scope;		       /* kernel.yama.ptrace_scope. -1: there is no yama. */
	const char *modules; /* The kernel's security modules, untrusted. "": they are unknown. */
};

/* Writes one line: which rule of the kernel forbids it, and what helps. */
void refusal_explain(char *why, size_t size, const struct refusal_facts *f);

/* Reads the facts of a running process and explains the refusal. */
void refusal_examine(char *why, size_t size, pid_t pid);
