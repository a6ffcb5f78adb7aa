/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out whether there is what eBPF needs. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "trace/bpf/doctor/kernel_btf.h"
#include "trace/bpf/doctor/trial.h"
#include "trace/rights.h"

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

bool bpf_examine(FILE *out, const struct collector_ops *ops); /* Does both. */
