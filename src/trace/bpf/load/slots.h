/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The probes' table slots[], which says what to do with each call, and the way back from a slot to
 * its call.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bpf/iotrace.h"
#include "trace/trace_options.h"

struct bpf_slot_plan {
	uint32_t next;	   /* First slot that the probes may hand out. */
	uint32_t end;	   /* Number of slots, SLOT_FIRST included. */
	uint32_t nr_calls; /* Number of different calls that can be counted. */
};

/* Fills the table. */
struct bpf_slot_plan bpf_slots_fill(uint32_t *slots, const struct trace_options *o);

/* Can all wanted calls be identified by the number in the registers when they return? */
bool bpf_slots_number_survives(const struct trace_options *o);

/* The call that each slot was handed out to, as CALL_INDEX(); -1: to none. */
struct bpf_slot_calls {
	int call[SLOT_FIRST + MAX_SLOTS];
};

void bpf_slots_calls(struct bpf_slot_calls *calls, const uint32_t *slots);

/* The call of a slot, whatever flags it has; -1: none. */
int bpf_slots_call(const struct bpf_slot_calls *calls, uint32_t slot);
