/* SPDX-License-Identifier: GPL-2.0 */
/* Tries eBPF as a run would use it, to find out what can be had here. */
#pragma once

#include "trace/collector.h"
#include "trace/trace_options.h"

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
