// SPDX-License-Identifier: GPL-2.0
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "model/figures.h"
#include "model/histogram.h"
#include "model/profile_groups.h"
#include "model/syscalls.h"
#include "trace/bpf/load/programs.h"
#include "trace/bpf/load/load.h"
#include "trace/bpf/read/read.h"

/* Adds a cell, with groups only the calls that no group has, and the latencies of all. */
static void add_cell(struct syscall_stats *row, const struct iotrace_cell *cell, bool groups)
{
	const struct iotrace_counts *counts = &cell->counts;
	uint64_t timed = groups ? cell->ungrouped : histogram_total(cell->latency, LATENCY_BUCKETS);

	if (timed) {
		uint64_t min_ns = ~counts->inverse_min_ns;

		if (!row->timed || min_ns < row->min_ns)
			row->min_ns = min_ns;
		if (counts->max_ns > row->max_ns)
			row->max_ns = counts->max_ns;
	}
	row->timed += timed;
	row->calls += timed + counts->estimated + counts->untimed;
#define ADD_COUNTER(scope, counted, name) IN_CELL_##counted(row->name += counts->name;)
#define ADD_HISTOGRAM(scope, counted, name, buckets, octave) \
	IN_CELL_##counted(histogram_merge(row->name, cell->name, buckets);)
	FIGURES(ADD_COUNTER, NO_FIGURE)
	HISTOGRAMS(ADD_HISTOGRAM)
#undef ADD_COUNTER
#undef ADD_HISTOGRAM
}

int bpf_read_slot(struct bpf_state *s, uint32_t slot, struct syscall_stats *row,
		  uint64_t *first_errors)
{
	if (bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.cells), &slot, s->cells))
		return -errno;
	for (int cpu = 0; cpu < s->nr_cpus; cpu++) {
		add_cell(row, &s->cells[cpu], s->skel->rodata->cfg_groups);
		*first_errors += s->cells[cpu].counts.first_errors;
	}
	return 0;
}

/* Adds the calls that waited, which have a slot of their own, to the others. */
static int read_waits(struct bpf_state *s, uint32_t slot, struct syscall_stats *row,
		      uint64_t *first_errors)
{
	struct syscall_stats waits = { 0 };
	int err;

	if (!s->skel->bss->wait_slots[slot])
		return 0;
	err = bpf_read_slot(s, s->skel->bss->wait_slots[slot], &waits, first_errors);
	waits.waits = waits.timed;
	waits.wait_ns = waits.total_ns;
	waits.estimated_waits = waits.estimated;
	memcpy(waits.wait_latency, waits.latency, sizeof(waits.latency));
	if (!err)
		figures_add(SCOPE_SYSCALL, row, &waits);
	return err;
}

/* Adds a call in flight. Returns NULL without memory. */
static struct inflight_call *new_inflight(struct profile *p, int index)
{
	struct inflight_call *call = array_append(&p->inflight, &p->nr_inflight, sizeof(*call));

	if (!call)
		return NULL;
	call->abi = CALL_ABI(index);
	call->nr = CALL_NR(index);
	syscall_name(call->abi, call->nr, call->name, sizeof(call->name));
	return call;
}

/*
 * Adds the calls of tasks outside our PID namespace, from the cells that were read last. The tasks
 * are unknown.
 */
static int add_outside(const struct bpf_state *s, struct profile *p, int index)
{
	uint64_t entered = 0, left = 0;

	for (int cpu = 0; cpu < s->nr_cpus; cpu++) {
		entered += s->cells[cpu].outside_entered;
		left += s->cells[cpu].outside_left;
	}
	p->entered += entered;
	/* During the run, one CPU may be read before and another after a call. */
	for (; left < entered; left++, p->in_flight++)
		if (!new_inflight(p, index))
			return -ENOMEM;
	return 0;
}

/* Adds a syscall to the profile, unless it has no calls. */
static int add_row(struct bpf_state *s, struct profile *p, struct syscall_stats *counted,
		   uint64_t first_errors, uint32_t slot)
{
	uint32_t errno_seen_first = s->skel->bss->first_errnos[slot & SLOT_MASK];
	const struct group_call *groups;
	struct syscall_stats *row;
	int err = 0;

	syscall_name(counted->abi, counted->nr, counted->name, sizeof(counted->name));
	if (first_errors)
		err = syscall_stats_add_errno(counted, (int)errno_seen_first, first_errors);
	groups = group_stats_find_call(&s->grouped, counted->abi, counted->nr);
	if (groups && !err)
		err = profile_complete_syscall(p, counted, groups);
	if (err || !counted->calls)
		return err;
	row = profile_syscall(p, counted->abi, counted->nr);
	if (!row)
		return -ENOMEM;
	*row = *counted;
	p->returned += row->calls;
	return 0;
}

static int read_cells(struct bpf_state *s, struct profile *p)
{
	for (int index = 0; index < NR_CALLS; index++) {
		uint32_t slot = s->skel->bss->slots[index];
		struct syscall_stats counted = { .abi = CALL_ABI(index), .nr = CALL_NR(index) };
		uint64_t first_errors = 0;
		int err;

		if ((slot & SLOT_MASK) < SLOT_FIRST)
			continue;
		counted.transfers = slot & SLOT_TRANSFERS;
		err = bpf_read_slot(s, slot & SLOT_MASK, &counted, &first_errors);
		if (!err)
			err = add_outside(s, p, index);
		if (!err)
			err = read_waits(s, slot & SLOT_MASK, &counted, &first_errors);
		if (!err)
			err = add_row(s, p, &counted, first_errors, slot);
		if (err) {
			free(counted.errnos);
			return err;
		}
	}
	return 0;
}

static int read_errnos(struct bpf_state *s, struct profile *p)
{
	int fd = bpf_map__fd(s->skel->maps.errnos);
	struct iotrace_errno_key key, *previous = NULL;
	uint64_t counts[s->nr_cpus];

	for (; !bpf_map_get_next_key(fd, previous, &key); previous = &key) {
		int index = bpf_slots_call(&s->calls, key.slot);
		struct syscall_stats *row;
		uint64_t sum = 0;

		if (bpf_map_lookup_elem(fd, &key, counts))
			return -errno;
		for (int cpu = 0; cpu < s->nr_cpus; cpu++)
			sum += counts[cpu];
		if (index < 0)
			continue; /* The slot is new: its call is not among the rows yet. */
		row = profile_syscall(p, CALL_ABI(index), CALL_NR(index));
		if (!row || syscall_stats_add_errno(row, key.err, sum))
			return -ENOMEM;
		if (s->skel->rodata->cfg_groups &&
		    bpf_groups_add_errno(p, key.group, row, key.err, sum))
			return -ENOMEM;
	}
	return errno == ENOENT ? 0 : -errno;
}

int bpf_read_calls(struct bpf_state *s, struct profile *p)
{
	int err;

	bpf_slots_calls(&s->calls, s->skel->bss->slots);
	/*
	 * Groups are read first: what they have is a part of what their syscalls have then, and the
	 * summary is made of them.
	 */
	err = bpf_read_groups(s, p);
	if (!err)
		err = read_cells(s, p);
	return err ? err : read_errnos(s, p);
}

static int add_inflight(struct bpf_state *s, struct profile *p, const struct iotrace_task_record *r)
{
	uint64_t until = s->stop_ns ? s->stop_ns : monotonic_ns();
	struct inflight_call *call;
	int index = bpf_slots_call(&s->calls, r->slot);

	if (!r->before)
		p->in_flight++;
	if (index < 0)
		return 0;
	call = new_inflight(p, index);
	if (!call)
		return -ENOMEM;
	call->pid = r->tgid;
	call->tid = r->pid;
	memcpy(call->comm, r->comm, sizeof(call->comm));
	call->comm[sizeof(call->comm) - 1] = '\0';
	call->before = r->before;
	if (r->before)
		call->since_ns = until - s->start_ns;
	else if (r->start_ns && until > r->start_ns)
		call->since_ns = until - r->start_ns;
	return 0;
}

struct task_reader {
	struct bpf_state *state;
	struct profile *profile;
};

/* A task that has not ended holds what it has entered, and the call that it is in. */
static int add_task(void *arg, const struct iotrace_task_record *record)
{
	struct task_reader *reader = arg;

	reader->profile->entered += record->entered;
	return record->slot ? add_inflight(reader->state, reader->profile, record) : 0;
}

static void begin_tasks(void *arg)
{
	struct task_reader *reader = arg;
	struct profile *p = reader->profile;

	memset((void *)&reader->state->skel->bss->busy_so_far, 0,
	       sizeof(reader->state->skel->bss->busy_so_far));
	p->entered = 0;
	p->in_flight = 0;
	p->nr_inflight = 0;
}

int bpf_read_tasks(struct bpf_state *s, struct profile *p)
{
	struct task_reader reader = { s, p };
	int err;

	bpf_slots_calls(&s->calls, s->skel->bss->slots);
	if (!bpf_does(s, FEATURE_IN_FLIGHT)) {
		if (!bpf_all_ended(s))
			p->unknown |= UNKNOWN_ENTERED;
		return 0;
	}
	err = bpf_iterate_all(s, s->skel->progs.dump_tasks, begin_tasks, add_task, &reader);

	if (err > 0) {
		p->unknown |= UNKNOWN_ENTERED;
		err = 0;
	}
	if (!err)
		profile_sort_inflight(p);
	return err;
}

void bpf_read_ended_tasks(const struct bpf_state *s, struct profile *p)
{
	p->entered += s->skel->bss->ended_entered;
	p->died += s->skel->bss->ended_inside;
}

/* Counts how often the kernel skipped a program, for any task. */
static uint64_t program_misses(const struct bpf_program *program)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	if (bpf_program__fd(program) < 0 ||
	    bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
		return 0;
	return info.recursion_misses;
}

/*
 * Linux 7.2 runs probes of syscalls with preemption enabled, and skips a probe that is preempted
 * for other tasks on that CPU; before 6.2, task storage is refused then. The call is lost if that
 * happens at its entry or return. The probes notice some of that; the kernel's counter includes all
 * of it and other tasks too, so the result is an upper bound.
 */
void bpf_read_losses(const struct bpf_state *s, struct profile *p)
{
	const struct iotrace_bpf__bss *bss = s->skel->bss;
	struct bpf_misses missed = bpf_programs_misses(s->skel, program_misses);

	missed.calls += bss->refused_calls;
	p->lost = missed.calls > bss->lost_calls ? missed.calls : bss->lost_calls;
	p->lost_tasks = bss->lost_tasks + missed.tasks;
	p->lost_errnos = bss->lost_errnos;
	p->excluded = bss->excluded;
}

uint64_t bpf_elapsed_ns(const struct bpf_state *s)
{
	const struct iotrace_bpf__bss *bss = s->skel->bss;
	uint64_t start = bss->window_start_ns ? bss->window_start_ns : s->start_ns, end;

	/* New tasks may have appeared after the last one ended. */
	if (bpf_all_ended(s) && bss->window_end_ns)
		end = bss->window_end_ns;
	else
		end = s->stop_ns ? s->stop_ns : monotonic_ns();
	return end > start ? end - start : 0;
}
