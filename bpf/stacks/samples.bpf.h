/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples of stacks: which calls they are of, and what is sent to user space, which unwinds them.
 *
 * A sample is taken when a call returns, because its file and its time are known then. The user's
 * registers are those of the entry: the kernel saves all of them there, also those that a function
 * preserves (PUSH_AND_CLEAR_REGS in arch/x86/entry/calling.h, of entry_SYSCALL_64 and of the 32-bit
 * entries; since Linux 4.15), and a signal changes them only after the return.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "stacks/python.bpf.h"
#include "tasks/marks.bpf.h"
#include "tasks/pid_namespace.bpf.h"
#include "tasks/states.bpf.h"

const volatile u32 cfg_end_sampler = 1; /* Rows below this have a sampler of their own. */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} stack_samples SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_sampler);
} samplers SEC(".maps");

u64 few_calls;	     /* Calls on files that have had fewer than SAMPLE_FROM. */
u64 samples_paid_ns; /* The time up to which samples have used up what the run may have. */
u64 samples_lost;    /* Samples that user space had no room for. */

/* May the run have a sample more? One of a file whose calls have doubled since the last matters. */
static __always_inline bool may_have_more(const struct iotrace_sampler *s, u64 paid, u64 now)
{
	u64 at_once = s->calls > 2 * s->sampled ? SAMPLES_AHEAD : SAMPLES_AT_ONCE;

	return paid <= now + at_once * SAMPLE_RUN_NS;
}

/* Takes it into account. Returns false if another CPU has just taken one. */
static __always_inline bool take_turn(u64 paid, u64 now)
{
	u64 from = paid > now ? paid : now;

	return __sync_val_compare_and_swap(&samples_paid_ns, paid, from + SAMPLE_RUN_NS) == paid;
}

/* Is one due of the last of so many calls on a file? */
static __always_inline bool is_due(struct iotrace_sampler *s, u64 calls, u64 now)
{
	u64 seen = __sync_fetch_and_add(&s->calls, calls) + calls, few;

	if (!cfg.all_stacks && seen < SAMPLE_FROM) {
		few = __sync_fetch_and_add(&few_calls, calls);
		if (few / SAMPLE_FEW == (few + calls) / SAMPLE_FEW)
			return false;
	}
	return seen - s->sampled > s->sampled / SAMPLE_GROWTH || now - s->at_ns >= SAMPLE_FILE_NS;
}

static __always_inline void read_registers(u64 *to, const struct pt_regs *from)
{
	to[STACK_RAX] = from->ax;
	to[STACK_RDX] = from->dx;
	to[STACK_RCX] = from->cx;
	to[STACK_RBX] = from->bx;
	to[STACK_RSI] = from->si;
	to[STACK_RDI] = from->di;
	to[STACK_RBP] = from->bp;
	to[STACK_RSP] = from->sp;
	to[STACK_R8] = from->r8;
	to[STACK_R9] = from->r9;
	to[STACK_R10] = from->r10;
	to[STACK_R11] = from->r11;
	to[STACK_R12] = from->r12;
	to[STACK_R13] = from->r13;
	to[STACK_R14] = from->r14;
	to[STACK_R15] = from->r15;
	to[STACK_RIP] = from->ip;
}

/* Reads the top of the stack. A page is read as a whole or not at all. */
static __always_inline void read_stack(struct iotrace_stack_sample *sample, u64 sp)
{
	u64 page = sp & ~(STACK_PAGE_SIZE - 1ULL);

	sample->pages = 0;
	for (u32 i = 0; i < STACK_PAGES; i++) {
		if (bpf_probe_read_user(sample->stack + i * STACK_PAGE_SIZE, STACK_PAGE_SIZE,
					(void *)(page + i * STACK_PAGE_SIZE)))
			break;
		sample->pages++;
	}
}

/* Rows that came too late share one. Calls without a file have one for each slot. */
static __always_inline struct iotrace_sampler *sampler_of(u32 row, u32 slot)
{
	u32 index = row < cfg_end_sampler ? row : 0;

	if (cfg.all_stacks && !row)
		index = cfg_end_sampler + (slot & SLOT_MASK);
	return bpf_map_lookup_elem(&samplers, &index);
}

/*
 * The last of so many calls of the current task on a file, or without one if row is 0, returns.
 * Takes a sample of it, if one is to be taken. ns is ~0 if it was not timed.
 */
__noinline int sample_call(u32 row, u32 slot, u64 calls, u64 ns)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct pt_regs *regs = own_registers();
	struct iotrace_stack_sample *sample;
	struct iotrace_sampler *sampler;
	u64 now = bpf_ktime_get_ns(), paid = samples_paid_ns, seen, before;
	const struct iotrace_python *python;

	if (!cfg.stacks || stopped)
		return 0;
	sampler = sampler_of(row, slot);
	/* What is not taken, the next one stands for. */
	if (!sampler || !is_due(sampler, calls, now) || !may_have_more(sampler, paid, now) ||
	    !take_turn(paid, now))
		return 0;
	sample = bpf_ringbuf_reserve(&stack_samples, sizeof(*sample), 0);
	if (!sample) {
		__sync_fetch_and_add(&samples_lost, 1);
		return 0;
	}
	seen = sampler->calls;
	before = sampler->sampled;
	sampler->sampled = seen;
	sampler->at_ns = now;
	sample->at_ns = now;
	/* Two CPUs at once may take what one sample stands for twice, or not at all. */
	sample->calls = seen > before ? seen - before : 1;
	sample->ns = ns;
	sample->row = row;
	sample->slot = slot;
	sample->pid = visible_tgid(task);
	sample->tid = visible_pid(task);
	sample->process.exec_id = task->self_exec_id;
	sample->process.tgid = task->tgid;
	sample->process.zero = 0;
	sample->code_32 = regs->cs == USER32_CS;
	python = find_python(task);
	sample->state = python ? python->state : INTERPRETER_UNKNOWN;
	sample->nr_python = sample->python_cut = 0;
	/* The kernel notes it when a thread sets it, and at each switch (do_arch_prctl_64()). */
	if (python && python->state == INTERPRETER_PYTHON)
		read_python(sample, python, task->thread.fsbase);
	read_registers(sample->registers, regs);
	read_stack(sample, regs->sp);
	bpf_ringbuf_submit(sample, 0);
	return 0;
}
