/* SPDX-License-Identifier: GPL-2.0 */
/* Measures what tracing costs on this machine, with a process of our own, before the target is started. */
#ifndef IOTRACE_OVERHEAD_H
#define IOTRACE_OVERHEAD_H

#include <stdint.h>

#include "trace/collector.h"
#include "trace/trace_options.h"

/*
 * Measures what tracing with these options adds to a write of one byte to the null device, in picoseconds (at least
 * 1). It has to load the probes once more. Returns 0 or -errno.
 */
int overhead_measure(const struct collector_ops *ops, const struct trace_options *o,
		     uint64_t *added_ps);
#endif
