/* SPDX-License-Identifier: GPL-2.0 */
/* Finds where the running kernel keeps what the probes read of a task's process and ids. */
#pragma once

#include <stddef.h>

#include "bpf/iotrace.h"

/*
 * From the kernel's BTF. 0, or -errno with one line in why. Without BTF they stay 0, and libbpf
 * says what is wrong.
 */
int bpf_find_task_offsets(struct iotrace_task_offsets *at, char *why, size_t size);
