/* SPDX-License-Identifier: GPL-2.0 */
/* Finds where the running kernel keeps what the probes read of files. */
#pragma once

#include <stddef.h>

#include "bpf/iotrace.h"

/* From the kernel's BTF, in one pass. 0, or -errno with one line in why. */
int bpf_find_file_offsets(struct iotrace_file_offsets *at, char *why, size_t size);
