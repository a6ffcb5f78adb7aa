/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The per-file part of the eBPF backend: its configuration, and reading its maps. For
 * collector_bpf.c alone.
 */
#ifndef IOTRACE_COLLECTOR_BPF_FILES_H
#define IOTRACE_COLLECTOR_BPF_FILES_H

#include <stdint.h>

#include "model/profile.h"
#include "trace/bpf/slots.h"
#include "trace/trace_options.h"

struct iotrace_bpf;

/*
 * Call it after filling the slots and before loading the skeleton. Returns 0, or -errno with one
 * line in why.
 */
int bpf_files_configure(struct iotrace_bpf *skel, const struct trace_options *o, int nr_cpus,
			char *why, size_t size);

/* Call it first: no file is open yet. */
void bpf_files_init(struct iotrace_bpf *skel);

/* Closes the files of -P and the root, when the probes do not need them any more. */
void bpf_files_close(struct iotrace_bpf *skel, const struct trace_options *o);

/* Has the kernel give each file the name that it has now. 0 or -errno. */
int bpf_files_name(struct iotrace_bpf *skel);

/* Adds the files to the profile of a stopped collector. Returns 0 or -errno. */
int bpf_files_read(struct iotrace_bpf *skel, const struct bpf_slot_calls *calls, struct profile *p);
#endif
