/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the eBPF backend share, and nobody else uses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "model/profile.h"
#include "trace/bpf/load/slots.h"
#include "trace/collector.h"
#include "trace/target.h"
#include "trace/trace_options.h"

struct bpf_state {
	struct trace_options own_options; /* As they were given, without what cannot be had. */
	const struct trace_options *options;
	struct collector *collector;
	struct iotrace_bpf *skel;
	bool perf_events; /* The probes of syscalls are attached to perf's events. */
	bool one_by_one;  /* libbpf loads one program after the other, and says what is wrong. */
	int nr_cpus;
	struct iotrace_cell *cells;  /* Room for the cells that all CPUs have of one slot. */
	struct bpf_slot_calls calls; /* Those of the last snapshot. */
	struct ring_buffer *idle;    /* Readable when there may be no traced task left. */
	uint64_t start_ns;	     /* CLOCK_MONOTONIC, when the target was handed over */
	uint64_t stop_ns;	     /* 0 while it runs */
	struct profile ended;	     /* What tasks held, after the stop. */
	int cgroup_fd;		     /* --cgroup; -1: none */
	int removals_fd;	     /* Readable when the cgroup may have been removed. -1: none. */
};
