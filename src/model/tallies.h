/* SPDX-License-Identifier: GPL-2.0 */
/* The counts that say whether every call of a run is accounted for: a row each. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arithmetic.h"
#include "model/profile.h"

struct tally {
	const char *key;     /* in JSON and CSV */
	const char *heading; /* for people */
	size_t offset;	     /* in struct profile */
	unsigned needs;	     /* enum profile_unknown: what must be known */
	bool added;	     /* older captures lack it */
};

#define NR_TALLIES 9
extern const struct tally tallies[NR_TALLIES]; /* in the order of JSON's members */

static inline uint64_t *tally_of(const struct tally *t, struct profile *p)
{
	return counter_at(p, t->offset);
}

static inline uint64_t tally_value(const struct tally *t, const struct profile *p)
{
	return *counter_at((void *)p, t->offset);
}

static inline bool tally_known(const struct tally *t, const struct profile *p)
{
	return !(t->needs & p->unknown);
}
