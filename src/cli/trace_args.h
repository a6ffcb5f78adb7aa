/* SPDX-License-Identifier: GPL-2.0 */
/* The options about measuring. */
#pragma once

#include <argp.h>

#include "trace/trace_options.h"

/* A child parser; its input is a struct trace_options after trace_args_init(). */
extern const struct argp trace_args_argp;

/* Sets the defaults. 0 or -ENOMEM. */
int trace_args_init(struct trace_options *o);

/*
 * Call after parsing: checks that the options fit together. Returns 0, or EINVAL after a message.
 */
error_t trace_args_finish(struct trace_options *o);

void trace_args_free(struct trace_options *o);
