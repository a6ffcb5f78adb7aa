/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out what each backend needs and lacks, and gives advice. */
#ifndef IOTRACE_DOCTOR_H
#define IOTRACE_DOCTOR_H

#include <stdbool.h>
#include <stdio.h>

#include "trace/rights.h"
#include "trace/trial.h"

/* Facts about the system. The report depends on nothing else. */
struct doctor_facts {
	bool x86_64;
	unsigned kernel_major, kernel_minor;
	struct rights rights;

	bool btf;
	bool bpf_syscall;     /* the kernel has it */
	int unprivileged_bpf; /* kernel.unprivileged_bpf_disabled; -1: not known */
	/*
	 * Trials of a command, of running processes, and of the whole system. The last two are made
	 * only if the first works.
	 */
	struct trial command, processes, system;

	char strace_path[256]; /* "": none */
	unsigned strace_major, strace_minor;
	char strace_why[512]; /* why it cannot be used; "": it can */
	int ptrace_errno;     /* of tracing a child; 0: it works */
	int ptrace_scope;     /* kernel.yama.ptrace_scope; 0 without yama */
	int traced_by;	      /* a process that traces us, 0: none */
};

void doctor_examine(struct doctor_facts *f);

/* Writes the report. Returns whether a backend can be used. */
bool doctor_report(FILE *out, const struct doctor_facts *f);
#endif
