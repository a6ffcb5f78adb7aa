/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last stage of a run: what the collector has counted becomes a complete profile, which nothing
 * changes any more.
 */
#pragma once

#include "model/provenance.h"
#include "trace/collector.h"

/*
 * Takes the last snapshot, finds the programs' languages, lets go of what was traced and, if a
 * finding predicts time or --overhead asks, measures what calls cost. Tracing has been stopped. The
 * provenance is complete but for its status, and must outlive the profile; status is the command's,
 * or -1. 0 or -errno, p is then empty.
 */
int finish_profile(struct profile *p, struct collector *c, const struct trace_options *o,
		   struct provenance *v, int status);
