/* SPDX-License-Identifier: GPL-2.0 */
/* The objects of the probes: one source, built for different kernels and runs. */
#pragma once

#include <stdbool.h>

struct iotrace_bpf;
struct iotrace_config;

enum probes {
	PROBES_GENERIC,
	PROBES_DEFAULT, /* It is for DEFAULT_CONFIG alone, with and without files and stacks. */
	PROBES_GROUPS,	/* The same with groups (--by), which cost all others a few loads a call. */
	PROBES_PRE_6_4, /* It calls no function that kernels before 6.4 may not have. */
};

/* The object for a run on this kernel, with groups or without. */
enum probes probes_for(const struct iotrace_config *config, bool groups);

/* Its name for people: "default". */
const char *probes_name(enum probes probes);

/*
 * Opens it. All have the same maps, programs and variables, and so the same skeleton. NULL with
 * errno.
 */
struct iotrace_bpf *probes_open(enum probes probes);
