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
	struct trace_options own_options; /* as given, without what cannot be had */
	const struct trace_options *options;
	struct collector *collector;
	struct iotrace_bpf *skel;
	bool perf_events; /* the probes of syscalls are attached to these */
	bool one_by_one;  /* programs are loaded one after the other: libbpf says what is wrong */
	int nr_cpus;
	struct iotrace_cell *cells;  /* room for one slot's cells of all CPUs */
	struct bpf_slot_calls calls; /* as of the last snapshot */
	struct ring_buffer *idle;    /* readable when there may be no traced task left */
	uint64_t start_ns;	     /* CLOCK_MONOTONIC, when the target was handed over */
	uint64_t stop_ns;	     /* 0 while it runs */
	struct profile ended;	     /* after the stop: the part that tasks held */
	int cgroup_fd;		     /* --cgroup; -1: none */
	int removals_fd;	     /* readable when it may have been removed; -1: none */
};
