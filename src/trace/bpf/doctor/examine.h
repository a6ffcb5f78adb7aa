/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out whether there is what eBPF needs. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "trace/bpf/doctor/kernel_btf.h"
#include "trace/collector.h"
#include "trace/rights.h"
#include "trace/trace_options.h"

/* ---- trial.c: tries eBPF as a run would use it, to find out what can be had here ---- */

#define TRIAL_WHY_SIZE 512

struct trial {
	char why[TRIAL_WHY_SIZE];		/* why nothing can be traced so; "": it can */
	char lost[NR_FEATURES][TRIAL_WHY_SIZE]; /* why a feature is missing; "": it is there */
};

/*
 * Loads all that a run of this scope may use, and attaches it: to a command that is never let go,
 * to a process of ours that makes a few calls, which have to be counted, or to the whole system. It
 * drops no rights.
 */
void trial_run(struct trial *t, const struct collector_ops *ops, enum scope scope);

/* ---- examine.c ---- */

/* Facts about the system. The report depends on nothing else. */
struct bpf_facts {
	bool x86_64;
	unsigned kernel_major, kernel_minor;
	struct rights rights;
	enum kernel_btf btf;
	bool bpf_syscall;     /* The kernel has it. */
	bool weak_functions;  /* kernel_takes_weak_functions() */
	int unprivileged_bpf; /* Value of kernel.unprivileged_bpf_disabled. -1: it is not known. */
	/*
	 * Trials of a command, of running processes, and of the whole system. The last two are made
	 * only if the first works.
	 */
	struct trial command, processes, system;
};

void bpf_find_facts(struct bpf_facts *f, const struct collector_ops *ops);

/* Writes the report. Returns whether eBPF can be used. */
bool bpf_report_facts(FILE *out, const struct bpf_facts *f);
