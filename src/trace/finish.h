/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last stage of measuring: what the collector has counted becomes a complete profile, which
 * nothing changes any more but its calibration.
 */
#pragma once

#include "model/findings.h"
#include "model/provenance.h"
#include "trace/collector.h"

/*
 * Takes the last snapshot of the calls in the set, and finds the programs' languages, and those
 * that were started again and again. Tracing has been stopped. The provenance is complete but for
 * its status, and must outlive the profile; status is the command's, or -1. Returns 0 or -errno; p
 * is then empty.
 */
int finish_profile(struct profile *p, struct collector *c, const struct syscall_set *set,
		   struct provenance *v, int status);

/*
 * Lets go of what was traced. If findings rest on a calibration, or --overhead asks, measures what
 * calls and the starts of processes cost, or notes that this could not be measured.
 */
void finish_release(struct profile *p, struct collector *c, const struct trace_options *o,
		    const struct findings *findings);
