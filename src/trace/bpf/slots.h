/* SPDX-License-Identifier: GPL-2.0 */
/* The probes' table slots[]: what is to be done with each call, and back from a slot to its call. */
#ifndef IOTRACE_BPF_SLOTS_H
#define IOTRACE_BPF_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/iotrace.h"
#include "trace/trace_options.h"

/* Of all calls of all ABIs, some 1200, no program uses more: so much room for cells there is at most. */
#define MAX_SLOTS 700

/* Fills the table; returns one more than the highest slot that there can be. */
size_t bpf_slots_fill(uint32_t *slots, const struct trace_options *o);

/* May the wanted calls be counted when they return, by the number in the registers? */
bool bpf_slots_number_survives(const struct trace_options *o);

/* The call that each slot was handed out to, as CALL_INDEX(); -1: to none. */
struct bpf_slot_calls {
	int call[SLOT_FIRST + MAX_SLOTS];
};

void bpf_slots_calls(struct bpf_slot_calls *calls, const uint32_t *slots);

/* The call of a slot, whatever flags it has; -1: none. */
int bpf_slots_call(const struct bpf_slot_calls *calls, uint32_t slot);

#endif
