/* SPDX-License-Identifier: GPL-2.0 */
/* The counts that say whether every call of a run is accounted for: a row each. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arithmetic.h"
#include "model/profile.h"

struct tally {
	const char *key;     /* The name in JSON and CSV. */
	const char *heading; /* The name for people. */
	size_t offset;	     /* Its offset in struct profile. */
	unsigned needs;	     /* What must be known: enum profile_unknown. */
	bool added;	     /* Older captures lack it. */
};

#define NR_TALLIES 9
extern const struct tally tallies[NR_TALLIES]; /* In the order of JSON's members. */

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
