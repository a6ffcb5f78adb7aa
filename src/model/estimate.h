/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the calls that were timed to all of them, where the clock was read for one call in N
 * (--sample-latency).
 *
 * Which calls slept is known of all. So those that did and those that did not are estimated apart,
 * for each system call, and for each on each file: the sum of their times is the mean of the timed
 * ones times their number (stratification after selection: W. G. Cochran, "Sampling Techniques",
 * 3rd ed. 1977, section 5A.9). Calls of a kind of which none was timed stay without a time.
 */
#pragma once

#include "model/profile.h"

/*
 * Replaces the times of the timed calls by those of all calls, with the standard error of the
 * totals. Does nothing where every call was timed. Call it once, after profile_difference().
 */
void profile_estimate(struct profile *p);
