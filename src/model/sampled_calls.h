/* SPDX-License-Identifier: GPL-2.0 */
/* The calls that there are samples of: a syscall on a file, or without one. */
#pragma once

#include "model/result.h"

struct sampled_call {
	const char *name; /* The syscall's. */
	enum iotrace_abi abi;
	const char *path; /* The file's. NULL: the calls are on none. */
	uint64_t calls, bytes;
	uint64_t ns;	    /* 0: not known. */
	struct site *sites; /* They add up to the calls and their time. */
	size_t nr_sites;
};

struct sampled_calls {
	struct sampled_call
		*list; /* Those that took most time first, or if that is not known, most calls. */
	size_t nr;
};

/*
 * Collects the calls of a syscall that are on no file: their samples stand for all of them. Returns
 * 0 or -ENOMEM; the sites are to be freed in either case.
 */
int sampled_without_file(struct sampled_call *call, const struct profile *p,
			 const struct syscall_stats *s);

/* Collects them. Returns 0 or -ENOMEM; free them in either case, before the result. */
int sampled_calls_collect(struct sampled_calls *calls, const struct result *r);
void sampled_calls_free(struct sampled_calls *calls);
