/* SPDX-License-Identifier: GPL-2.0 */
/* The names of the code that samples are from, which are found once, at the end of a run. */
#pragma once

#include "model/profile.h"
#include "stacks/object.h"
#include "stacks/perf_map.h"
#include "stacks/python.h"
#include "trace/bpf/load/slots.h"
#include "trace/bpf/stacks/tallies.h"

/* Where names are found, by kind of frame. */
struct code_names {
	struct objects *objects;
	const struct python_places *places;
	const struct perf_maps *made;
};

/* Adds the sites to the files of the profile, and their stacks to it. Returns 0 or -ENOMEM. */
int code_names__add(struct profile *p, const struct tallies *tallies,
		    const struct code_names *names, const struct bpf_slot_calls *calls);
