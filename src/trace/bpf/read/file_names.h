/* SPDX-License-Identifier: GPL-2.0 */
/* The kind and the name of a file, from the row that the probes made of it. */
#pragma once

#include "bpf/iotrace.h"
#include "model/files.h"

enum file_kind bpf_file_kind(const struct iotrace_file_key *key, const struct iotrace_file *f);

/* Allocated; NULL without memory. */
char *bpf_file_path(const struct iotrace_file *f, enum file_kind kind);
