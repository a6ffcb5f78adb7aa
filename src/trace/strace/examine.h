/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out whether there is what strace needs. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Facts about the system. The report depends on nothing else. */
struct strace_facts {
	char path[256]; /* Path of strace. "": there is none. */
	unsigned major, minor;
	char why[512];	     /* Why strace cannot be used. "": it can. */
	int ptrace_errno;    /* The errno of tracing a child. 0: it works. */
	int ptrace_scope;    /* kernel.yama.ptrace_scope. 0 without yama, too. */
	bool cap_sys_ptrace; /* strace has it when iotrace runs it. */
	bool filtered;	     /* A seccomp filter is on iotrace itself. */
	int traced_by;	     /* The process that traces iotrace. 0: none does. */
};

void strace_find_facts(struct strace_facts *f);

/* Writes the report. Returns whether strace can be used. */
bool strace_report_facts(FILE *out, const struct strace_facts *f);

bool strace_examine(FILE *out); /* Finds the facts and writes the report. */
