// SPDX-License-Identifier: GPL-2.0
#include "model/tallies.h"

#define AT(member) offsetof(struct profile, member)

/* clang-format off */
const struct tally tallies[NR_TALLIES] = {
	{ "entered",     "entered",              AT(entered),     UNKNOWN_ENTERED, false },
	{ "returned",    "returned",             AT(returned),    0,               false },
	{ "in_flight",   "in flight",            AT(in_flight),   UNKNOWN_ENTERED, false },
	{ "died",        "died in call",         AT(died),        UNKNOWN_ENTERED, false },
	{ "under_way",   "begun before tracing", AT(under_way),   UNKNOWN_ENTERED, false },
	{ "lost",        "lost",                 AT(lost),        0,               false },
	{ "lost_tasks",  "lost tasks",           AT(lost_tasks),  0,               false },
	{ "lost_errnos", "lost errnos",          AT(lost_errnos), 0,               true },
	{ "left_out",    "left out",             AT(excluded),    0,               true },
};
/* clang-format on */
