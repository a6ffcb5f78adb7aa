// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/load/slots.h"

#include <string.h>

#include "model/syscalls.h"

static enum file_call_kind opening(const char *name, const struct syscall_traits *t)
{
	if (!strcmp(name, "creat"))
		return FILE_CALL_CREAT;
	if (!strcmp(name, "openat2"))
		return FILE_CALL_OPENAT2;
	return t->path_arg ? FILE_CALL_OPENAT : FILE_CALL_OPEN;
}

/* Describes a wanted call's arguments to the probes. */
static enum file_call_kind file_call(enum iotrace_abi abi, int nr, const struct syscall_traits *t)
{
	char name[40];

	if (t->action == ACTION_OPENS)
		return opening(syscall_name(abi, nr, name, sizeof(name)), t);
	if (t->makes)
		return t->path_arg ? FILE_CALL_MAKEAT : FILE_CALL_MAKE;
	if (syscall_searches(t))
		return t->path_arg ? FILE_CALL_LOOKAT : FILE_CALL_LOOK;
	if (t->buffer && t->action == ACTION_READS)
		return t->positioned ? FILE_CALL_PREAD : FILE_CALL_READ;
	if (t->buffer)
		return t->positioned ? FILE_CALL_PWRITE : FILE_CALL_WRITE;
	if (t->vector)
		return t->positioned ? FILE_CALL_PWRITEV : FILE_CALL_WRITEV;
	return FILE_CALL_OTHER;
}

static uint32_t slot_of(enum iotrace_abi abi, int nr, const struct syscall_traits *t, bool files)
{
	uint32_t slot = SLOT_NEW | SLOT_WANTED;

	if (t->transfers)
		slot |= SLOT_TRANSFERS;
	if (t->action == ACTION_FORKS)
		slot |= SLOT_FORKS;
	if (t->on_fd)
		slot |= SLOT_FD;
	/* There are findings about these. */
	else if (t->action == ACTION_FORKS || t->action == ACTION_SYNCS)
		slot |= SLOT_SAMPLED;
	if (files)
		slot |= (uint32_t)file_call(abi, nr, t) << SLOT_CALL_SHIFT;
	if (t->action == ACTION_READS)
		slot |= SLOT_READS;
	if (t->idles)
		slot |= SLOT_IDLES;
	if (abi == ABI_32)
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
		/* These calls never return: only their entry can be seen. */
		if (!traits.never_returns)
			slots[index] = slot_of(abi, CALL_NR(index), &traits, o->files);
	}
}

/*
 * execve can change the ABI and then returns with its number in the new one: look at these numbers,
 * too.
 */
static void mark_execs(uint32_t *slots)
{
	struct syscall_traits traits;
	const char *name;

	for (size_t i = 0; (name = syscall_known(i, &traits)); i++) {
		if (traits.action != ACTION_EXECS)
			continue;
		for (int abi = 0; abi < NR_ABIS; abi++) {
			int nr = syscall_number((enum iotrace_abi)abi, name);
			uint32_t *slot;

			if (nr < 0 || nr >= MAX_SYSCALL_NR)
				continue;
			slot = &slots[CALL_INDEX(abi, nr)];
			*slot = *slot == SLOT_UNWANTED ? SLOT_LOOK : *slot | SLOT_EXECS;
		}
	}
}

/*
 * If there are enough cells for all wanted calls, each gets its own now; else the probes hand them
 * out as calls come.
 */
static uint32_t hand_out(uint32_t *slots)
{
	uint32_t next = SLOT_FIRST;

	for (int index = 0; index < NR_CALLS; index++)
		if ((slots[index] & SLOT_MASK) == SLOT_NEW)
			slots[index] = (slots[index] & ~SLOT_MASK) | SLOT_READY | next++;
	return next;
}

/* The slots for calls that wait: a program has some tens of different ones. */
static uint32_t for_waiting(uint32_t nr_wanted, const struct trace_options *o)
{
	if (o->no_latency)
		return 0;
	return nr_wanted < 128 ? nr_wanted : 128;
}

struct bpf_slot_plan bpf_slots_fill(uint32_t *slots, const struct trace_options *o)
{
	struct bpf_slot_plan plan = { .next = SLOT_FIRST };
	uint32_t nr_wanted = 0, nr;

	add_wanted(slots, o);
	mark_execs(slots);
	for (int index = 0; index < NR_CALLS; index++)
		nr_wanted += (slots[index] & SLOT_MASK) == SLOT_NEW;
	nr = nr_wanted + for_waiting(nr_wanted, o);
	if (nr_wanted <= MAX_SLOTS)
		plan.next = hand_out(slots);
	plan.nr_calls = nr_wanted < MAX_SLOTS ? nr_wanted : MAX_SLOTS;
	plan.end = SLOT_FIRST + (nr < MAX_SLOTS ? nr : MAX_SLOTS);
	return plan;
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
