/* SPDX-License-Identifier: GPL-2.0 */
/* Texts of the default report. What can be of any width is broken by fill_lines() later. */
#pragma once

#include <stdio.h>

#include "model/result.h"
#include "report/render_options.h"

/*
 * strace's summary table, for each ABI that has calls, byte for byte as `strace -c -w` lays it out;
 * o's columns are filled in. 0 or -errno.
 */
int render_summary(FILE *out, const struct profile *p, const struct render_options *o);

/* These print nothing if there is nothing to say. 0 or -ENOMEM. */
int text_of_syscalls(FILE *out, const struct result *r, const struct render_options *o,
		     unsigned sections);
int text_of_account(FILE *out, const struct result *r, const struct render_options *o,
		    unsigned sections);
