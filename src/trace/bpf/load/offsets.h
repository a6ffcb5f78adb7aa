/* SPDX-License-Identifier: GPL-2.0 */
/* Finds in the kernel's BTF where the running kernel keeps what the probes read. */
#pragma once

#include <stddef.h>

#include "bpf/iotrace.h"

/*
 * What the probes read of a task's process and ids. 0, or -errno with one line in why. Without BTF
 * they stay 0, and libbpf says what is wrong.
 */
int bpf_find_task_offsets(struct iotrace_task_offsets *at, char *why, size_t size);

/* What they read of files. 0, or -errno with one line in why. */
int bpf_find_file_offsets(struct iotrace_file_offsets *at, char *why, size_t size);

/* What they read of who may trace a process. 0 or -EOPNOTSUPP. */
int bpf_find_access_offsets(struct iotrace_access_offsets *at);
