/* SPDX-License-Identifier: GPL-2.0 */
/* What tracing costs on this very machine, measured on a process of our own before the target is started. */
#ifndef IOTRACE_OVERHEAD_H
#define IOTRACE_OVERHEAD_H

#include <stdint.h>

#include "trace/collector.h"
#include "trace/trace_options.h"

/*
 * Measures what tracing as the options say adds to one write of a byte to the null device; picoseconds, at least 1. It
 * takes the time of loading the probes once more, and some milliseconds. 0 or -errno.
 */
int overhead_measure(const struct collector_ops *ops, const struct trace_options *o,
		     uint64_t *added_ps);

#endif
