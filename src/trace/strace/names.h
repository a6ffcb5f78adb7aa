/* SPDX-License-Identifier: GPL-2.0 */
/* The numbers of the names in the log of a strace without -n. For parse.c alone. */
#pragma once

#include "bpf/iotrace.h"
#include "trace/strace/line.h"

#define STRACE_NR_NAMES 128
#define STRACE_X32_BIT	0x40000000 /* in the numbers of x32 calls */

/* The last number of each name, by a hash of it. */
struct strace_names {
	struct strace_name {
		enum iotrace_abi abi;
		int nr;
		char name[STRACE_WORD_SIZE];
	} entries[STRACE_NR_NAMES];
};

/*
 * The number of a name; -1: there is none. Without -n, x32 calls look like 32-bit calls; hardly any
 * program uses x32.
 */
int strace_names_number(struct strace_names *n, enum iotrace_abi abi, const char *name);
