/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include "model/profile.h"

/*
 * Subtracts one snapshot of a run from a later one: now - before, in figures and histograms; see
 * syscall_stats_subtract(). Calls that were in flight at the first snapshot are among the entered,
 * so that entered = returned + in_flight + died holds as ever. A running program's files are read a
 * moment after its syscalls, so the sums over out's files are not quite those of its syscalls. *out
 * is overwritten. 0 or -ENOMEM (out is then empty).
 */
int profile_difference(struct profile *out, const struct profile *now,
		       const struct profile *before);
