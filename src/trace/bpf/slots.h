/* SPDX-License-Identifier: GPL-2.0 */
/* The probes' table slots[], which says what to do with each call, and the way back from a slot to its call. */
#ifndef IOTRACE_BPF_SLOTS_H
#define IOTRACE_BPF_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/iotrace.h"
#include "trace/trace_options.h"

/*
 * The limit of cells, which keeps them below 2 MiB per CPU. The 64-bit table has some 370 calls, so only a run with
 * calls of two whole tables could need more; those are counted as lost.
 */
#define MAX_SLOTS 700

/* Fills the table. Returns the number of slots, SLOT_FIRST included. */
size_t bpf_slots_fill(uint32_t *slots, const struct trace_options *o);

/* Can all wanted calls be identified by the number in the registers when they return? */
bool bpf_slots_number_survives(const struct trace_options *o);

/* The call that each slot was handed out to, as CALL_INDEX(); -1: to none. */
struct bpf_slot_calls {
	int call[SLOT_FIRST + MAX_SLOTS];
};

void bpf_slots_calls(struct bpf_slot_calls *calls, const uint32_t *slots);

/* The call of a slot, whatever flags it has; -1: none. */
int bpf_slots_call(const struct bpf_slot_calls *calls, uint32_t slot);
#endif
