/* SPDX-License-Identifier: GPL-2.0 */
/* Restricts the probes to what the user may trace. For collector_bpf.c alone. */
#pragma once

#include <stddef.h>

struct iotrace_bpf;

/*
 * Call it between opening and loading the skeleton. Returns 0, or -EOPNOTSUPP with the reason in
 * why.
 */
int bpf_access_configure(struct iotrace_bpf *skel, char *why, size_t size);
