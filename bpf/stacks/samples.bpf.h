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
#include "cells/counts.bpf.h"
#include "stacks/python.bpf.h"
#include "tasks/marks.bpf.h"
#include "tasks/pid_namespace.bpf.h"
#include "tasks/states.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} stack_samples SEC(".maps");

u64 samples_paid_ns; /* The time up to which samples have used up what the run may have. */
u64 samples_lost;    /* Samples that user space had no room for. */

/* What calls weigh, their time and bytes. */
static __always_inline u64 weight_of(const struct iotrace_sampler *s, u64 calls, u64 ns, u64 bytes)
{
	return ns + calls * s->call_ns + (bytes * s->byte_weight >> 10);
}

static __always_inline u64 weight_of_all(const struct iotrace_file_cell *cell)
{
	return weight_of(&cell->sampler, cell->calls, cell->total_ns, cell->bytes);
}

/* Is a sample due of the call that the cell has just counted? */
static __always_inline bool sample_is_due(const struct iotrace_file_cell *cell)
{
	return weight_of_all(cell) >= cell->sampler.due;
}

/* Draws a number below another one. */
static __always_inline u64 draw(struct iotrace_task_files *files, u64 below)
{
	return (below >> 8) * random_16(files) >> 8;
}

/* Draws which of the first calls of a cell is sampled. */
static __always_inline void draw_first(struct iotrace_sampler *s, struct iotrace_task_files *files)
{
	s->call_ns = SAMPLE_FIRST_NS / SAMPLE_FIRST_CALLS;
	s->due = cfg.all_stacks ? 1 : 1 + draw(files, SAMPLE_FIRST_NS);
}

/* Draws when the next sample is due of a cell. */
static __always_inline void draw_next(const struct iotrace_file_cell *cell,
				      struct iotrace_sampler *s, struct iotrace_task_files *files)
{
	u64 mean = cell->calls ? cell->total_ns / cell->calls : 0, weight, gap, most;

	if (mean)
		s->call_ns = mean > SAMPLE_LEAST_NS ? mean : SAMPLE_LEAST_NS;
	if (cell->bytes)
		s->byte_weight = (cell->calls * s->call_ns << 10) / cell->bytes;
	weight = weight_of_all(cell);
	gap = weight / SAMPLE_GROWTH;
	most = 3 * SAMPLE_GAP_CALLS * s->call_ns;
	gap = gap > most ? most : gap;
	s->due = weight + gap + draw(files, gap / 2);
}

/* Has the weight of a cell grown enough for a sample, since the last one that was taken? */
static __always_inline bool has_grown(u64 before, u64 more, u64 since_ns)
{
	return more > before / SAMPLE_LEAP || since_ns >= SAMPLE_CELL_NS ||
	       (more > before / SAMPLE_GROWTH && since_ns >= SAMPLE_GAP_NS);
}

/* May the run have a sample more, of a cell whose weight has grown from before by more? */
static __always_inline bool may_have_more(const struct iotrace_file_cell *cell, u64 before,
					  u64 more, u64 paid, u64 now)
{
	u64 at_once = SAMPLES_AT_ONCE;

	if (!cfg.all_stacks && cell->calls < SAMPLE_FIRST_CALLS && cell->total_ns < SAMPLE_LONG_NS)
		at_once = SAMPLES_OF_FEW;
	else if ((cell->calls >= SAMPLE_MANY_CALLS || cell->total_ns >= SAMPLE_LONG_NS) &&
		 more > before / SAMPLE_LEAP)
		at_once = SAMPLES_OF_MANY;
	else if (more > before)
		at_once = SAMPLES_AHEAD;
	else if (more > before / SAMPLE_LEAP)
		at_once = (SAMPLES_AT_ONCE + SAMPLES_AHEAD) / 2;
	return paid <= now + at_once * SAMPLE_RUN_NS;
}

/* Is there room for a sample of a cell whose weight has grown so? */
static __always_inline bool has_room(u64 before, u64 more)
{
	u64 used = bpf_ringbuf_query(&stack_samples, BPF_RB_AVAIL_DATA);

	if (used >= STACK_BUFFER_SIZE / 4 * 3)
		return more > before;
	return used < STACK_BUFFER_SIZE / 2 || more > before / 2;
}

/* Takes it into account. Returns false if another CPU has just taken one. */
static __always_inline bool take_turn(u64 paid, u64 now)
{
	u64 from = paid > now ? paid : now;

	return __sync_val_compare_and_swap(&samples_paid_ns, paid, from + SAMPLE_RUN_NS) == paid;
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

/* Sends a sample of the current call, which stands for a weight. Returns false without room. */
static __always_inline bool send_sample(u64 key, u64 weight, u64 own, u64 now, u64 ns, u64 bytes)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct pt_regs *regs = own_registers();
	struct iotrace_stack_sample *sample;
	const struct iotrace_interpreter *in;

	sample = bpf_ringbuf_reserve(&stack_samples, sizeof(*sample), 0);
	if (!sample)
		return false;
	sample->at_ns = now;
	sample->call.weight = weight;
	sample->call.own = own;
	sample->call.ns = ns;
	sample->call.bytes = bytes;
	sample->call.row = FILE_CELL_ROW(key);
	sample->call.slot = FILE_CELL_SLOT(key);
	sample->pid = visible_tgid(task);
	sample->tid = visible_pid(task);
	sample->process.exec_id = task->self_exec_id;
	sample->process.tgid = task->tgid;
	sample->process.zero = 0;
	sample->code_32 = regs->cs == USER32_CS;
	in = find_interpreter(task);
	sample->known = sample->process;
	sample->state = INTERPRETER_UNKNOWN;
	sample->nr_python = sample->python_cut = 0;
	if (in) {
		sample->known = in->key;
		sample->state = in->python.state;
	}
	/* The kernel notes it when a thread sets it, and at each switch (do_arch_prctl_64()). */
	if (in && in->python.state == INTERPRETER_PYTHON)
		read_python(sample, &in->python, task->thread.fsbase);
	read_registers(sample->registers, regs);
	read_stack(sample, regs->sp);
	bpf_ringbuf_submit(sample, 0);
	return true;
}

/*
 * A cell has counted a call of the current task that returns, of which a sample may be due: takes
 * it. ns is ~0 if the call was not timed.
 */
__noinline int sample_call(struct iotrace_file_cell *cell, struct iotrace_task_files *files,
			   u32 slot, long ret, u64 ns)
{
	bool moved = slot & SLOT_TRANSFERS && ret > 0 && !is_error(ret);
	u64 now, paid = samples_paid_ns, bytes = moved ? ret : 0, before, weight, own;
	struct iotrace_sampler *s;

	if (!cfg_stacks || stopped || !cell || !files)
		return 0;
	s = &cell->sampler;
	if (!s->due)
		draw_first(s, files);
	/* After a successful execve the registers are those of the new program. */
	if (!sample_is_due(cell) || (slot & SLOT_EXECS && !ret))
		return 0;
	now = bpf_ktime_get_ns();
	ns = ~ns ? ns : 0;
	own = weight_of(s, 1, ns, bytes);
	before = weight_of(s, s->calls, s->ns, s->bytes);
	weight = weight_of_all(cell) - before;
	/* What is not taken, or cannot be sent, the next one stands for. */
	if (has_grown(before, weight, now - s->at_ns) &&
	    may_have_more(cell, before, weight, paid, now) && has_room(before, weight) &&
	    take_turn(paid, now)) {
		/* A call that makes up most of it stands for itself alone. */
		bool alone = 2 * own >= weight;

		if (!send_sample(cell->key, alone ? own : weight, own, now, ns, bytes)) {
			__sync_fetch_and_add(&samples_lost, 1);
		} else if (alone) {
			s->calls++;
			s->ns += ns;
			s->bytes += bytes;
		} else {
			s->calls = cell->calls;
			s->ns = cell->total_ns;
			s->bytes = cell->bytes;
		}
		s->at_ns = now;
	}
	draw_next(cell, s, files);
	return 0;
}
