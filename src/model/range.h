/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

/* An interval, both ends included; low <= high. */
struct range {
	double low, high;
};

static inline double range_middle(const struct range *r)
{
	return (r->low + r->high) / 2;
}

static inline void range_add(struct range *sum, const struct range *r)
{
	sum->low += r->low;
	sum->high += r->high;
}
