// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/slots.h"

#include <string.h>

#include "model/syscalls.h"

/* What the probes need to know of a wanted call's arguments. */
static enum file_call_kind file_call(const struct syscall_traits *t)
{
	if (t->action == ACTION_OPENS)
		return t->path_arg ? FILE_CALL_OPENAT : FILE_CALL_OPEN;
	if (t->buffer)
		return t->positioned ? FILE_CALL_PWRITE : FILE_CALL_WRITE;
	if (t->vector)
		return t->positioned ? FILE_CALL_PWRITEV : FILE_CALL_WRITEV;
	return FILE_CALL_OTHER;
}

static uint32_t slot_of(enum iotrace_abi abi, const struct syscall_traits *t, bool files)
{
	uint32_t slot = SLOT_NEW | SLOT_WANTED;

	if (t->transfers)
		slot |= SLOT_TRANSFERS;
	if (t->action == ACTION_FORKS)
		slot |= SLOT_FORKS;
	slot |= (uint32_t)(t->fd_arg + 1) << SLOT_FD_SHIFT;
	if (files)
		slot |= (uint32_t)file_call(t) << SLOT_CALL_SHIFT;
	if (files && abi == ABI_32)
		slot |= SLOT_COMPAT;
	return slot;
}

static void add_wanted(uint32_t *slots, const struct trace_options *o)
{
	for (int index = 0; index < NR_CALLS; index++) {
		enum iotrace_abi abi = CALL_ABI(index);
		struct syscall_traits traits;

		if (!o->set.wanted[abi][CALL_NR(index)])
			continue;
		traits = syscall_traits(abi, CALL_NR(index));
		/* They would only ever be seen to enter. */
		if (!traits.never_returns)
			slots[index] = slot_of(abi, &traits, o->files);
	}
}

/* Does fn for each call of a name that anything is special about. */
static void each_known(uint32_t *slots, const struct trace_options *o,
		       void (*fn)(uint32_t *slot, enum iotrace_abi abi,
				  const struct syscall_traits *traits,
				  const struct trace_options *o))
{
	struct syscall_traits traits;
	const char *name;

	for (size_t i = 0; (name = syscall_known(i, &traits)); i++) {
		/* Names take time to look up. */
		if (traits.action == ACTION_OTHER)
			continue;
		for (int abi = 0; abi < NR_ABIS; abi++) {
			int nr = syscall_number((enum iotrace_abi)abi, name);

			if (nr >= 0 && nr < MAX_SYSCALL_NR)
				fn(&slots[CALL_INDEX(abi, nr)], (enum iotrace_abi)abi, &traits, o);
		}
	}
}

static void mark(uint32_t *slot, enum iotrace_abi abi, const struct syscall_traits *traits,
		 const struct trace_options *o)
{
	bool judged = traits->action == ACTION_WRITES || traits->action == ACTION_SYNCS;

	/* Files are judged by them: traced for that alone when -e does not say what to trace. */
	if (o->files && !o->set_given && judged && !(*slot & SLOT_WANTED))
		*slot = slot_of(abi, traits, true) | SLOT_FILES_ONLY;
	/* execve changes the ABI while it runs: its numbers in one ABI are looked at when they return in another. */
	if (traits->action == ACTION_EXECS)
		*slot = *slot == SLOT_UNWANTED ? SLOT_LOOK : *slot | SLOT_EXECS;
}

/* As long as there is a cell for every wanted call, each gets its own; else they are handed out as calls come. */
static void hand_out(uint32_t *slots)
{
	uint32_t next = SLOT_FIRST;

	for (int index = 0; index < NR_CALLS; index++)
		if ((slots[index] & SLOT_MASK) == SLOT_NEW)
			slots[index] = (slots[index] & ~SLOT_MASK) | next++;
}

size_t bpf_slots_fill(uint32_t *slots, const struct trace_options *o)
{
	size_t nr_wanted = 0;

	add_wanted(slots, o);
	each_known(slots, o, mark);
	for (int index = 0; index < NR_CALLS; index++)
		nr_wanted += (slots[index] & SLOT_MASK) == SLOT_NEW;
	if (nr_wanted <= MAX_SLOTS)
		hand_out(slots);
	else
		nr_wanted = MAX_SLOTS;
	return SLOT_FIRST + nr_wanted;
}

bool bpf_slots_number_survives(const struct trace_options *o)
{
	struct syscall_traits traits;
	const char *name;

	for (size_t i = 0; (name = syscall_known(i, &traits)); i++) {
		/* execve into a program of another ABI returns with that ABI's number. */
		if (traits.action != ACTION_SIGRETURNS && traits.action != ACTION_EXECS)
			continue;
		for (int abi = 0; abi < NR_ABIS; abi++) {
			int nr = syscall_number((enum iotrace_abi)abi, name);

			if (nr >= 0 && nr < MAX_SYSCALL_NR && o->set.wanted[abi][nr])
				return false;
		}
	}
	return true;
}

void bpf_slots_calls(struct bpf_slot_calls *calls, const uint32_t *slots)
{
	memset(calls, -1, sizeof(*calls));
	for (int index = 0; index < NR_CALLS; index++) {
		uint32_t slot = slots[index] & SLOT_MASK;

		if (slot >= SLOT_FIRST && slot < SLOT_FIRST + MAX_SLOTS)
			calls->call[slot] = index;
	}
}

int bpf_slots_call(const struct bpf_slot_calls *calls, uint32_t slot)
{
	slot &= SLOT_MASK;
	return slot < SLOT_FIRST + MAX_SLOTS ? calls->call[slot] : -1;
}
