// SPDX-License-Identifier: GPL-2.0
/*
 * Measures calls of a process of our own with and without the probes of the run, after its figures
 * have been read. That needs no right that iotrace has dropped by then.
 */
#include <errno.h>
#include <gsl/gsl_sort.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/descriptor.h"
#include "trace/bpf/load/programs.h"
#include "trace/bpf/load/load.h"
#include "trace/bpf/read/read.h"
#include "trace/calibrator.h"

#define ROUNDS	    5
#define BURSTS	    3
#define COPY_ROUNDS 5
/* For --overhead. */
#define MAX_ROUNDS 15
#define MAX_BURSTS 5

enum { NR_CALLS_MEASURED = 2 };

/* The slot that counts our process's writes. All figures have been read, so any slot will do. */
static uint32_t slot_of_writes(struct bpf_state *s)
{
	uint32_t *slots = s->skel->bss->slots, *own = &slots[CALL_INDEX(ABI_64, SYS_write)];

	for (int i = 0; i < NR_CALLS && (*own & SLOT_MASK) < SLOT_FIRST; i++)
		if ((slots[i] & SLOT_MASK) >= SLOT_FIRST)
			*own = SLOT_WANTED | SLOT_READY | SLOT_TRANSFERS | SLOT_FD |
			       (slots[i] & SLOT_MASK);
	return *own & SLOT_MASK;
}

/* With -P, only the file in memory can become a wanted file. */
static int want_memory(struct bpf_state *s, const struct calibrator *c)
{
	int err;

	if (!s->skel->rodata->cfg.filter_paths)
		return 0;
	close_fd(&s->skel->bss->filter_files[0].self_fd);
	s->skel->bss->filter_files[0].self_fd = c->memory;
	err = bpf_iterate(s->skel->progs.identify_files, NULL, NULL);
	s->skel->bss->filter_files[0].self_fd = -1;
	return err;
}

static void keep_least(uint64_t *least, uint64_t value)
{
	if (!*least || value < *least)
		*least = value;
}

#define MAX_SLICES (MAX_BURSTS * CALIBRATOR_SLICES)

/* The slices of a call in a round. */
struct slices {
	size_t nr;
	double rounds[MAX_SLICES], round_ps[MAX_SLICES];
};

static void keep_slices(struct slices *all, const struct call_time *time)
{
	for (int i = 0; i < CALIBRATOR_SLICES && all->nr < MAX_SLICES; i++, all->nr++) {
		all->rounds[all->nr] = time->rounds[i];
		all->round_ps[all->nr] = time->round_ps[i];
	}
}

/* A call with and without the probes within a few milliseconds. */
struct round {
	struct calibrated_call call; /* The quickest bursts, which were not interrupted. */
	struct slices traced, bare;
};

/* Reads all calls of a slot, those of groups as well. 0 or -errno. */
static int read_all_calls(struct bpf_state *s, uint32_t slot, struct syscall_stats *row)
{
	uint64_t ignored = 0;
	int err = bpf_read_slot(s, slot, row, &ignored);

	return err || !s->skel->rodata->cfg_groups ? err : bpf_groups_add_slot(s, slot, row);
}

/* Measures the probes' time for calls; *time: the caller's. */
static int measure_inside(struct bpf_state *s, struct calibrator *c, enum calibrator_call call,
			  uint32_t slot, struct calibrated_call *result, struct call_time *time)
{
	struct syscall_stats before = { 0 }, after = { 0 };
	int err = read_all_calls(s, slot, &before);

	if (!err)
		err = calibrator_ask(c, call, 0, time);
	if (!err)
		err = read_all_calls(s, slot, &after);
	if (err)
		return err;
	if (after.calls == before.calls)
		return -ENODATA;
	if (after.timed > before.timed) /* With --no-latency none is. */
		keep_least(&result->inside_ps, (after.total_ns - before.total_ns) * 1000 /
						       (after.timed - before.timed));
	return 0;
}

/*
 * Times calls with the probes: as they are in the run, and, if those do not time every call, so
 * that they do.
 */
static int measure_traced(struct bpf_state *s, struct calibrator *c, enum calibrator_call call,
			  uint32_t slot, struct round *r)
{
	uint32_t *every = &s->skel->data->sample_every, of_run = *every;
	struct call_time time, ignored;
	int err = measure_inside(s, c, call, slot, &r->call, &time);

	if (err)
		return err;
	keep_least(&r->call.traced_ps, time.ps);
	keep_slices(&r->traced, &time);
	if (of_run == 1)
		return 0;
	*every = 1;
	err = measure_inside(s, c, call, slot, &r->call, &ignored);
	*every = of_run;
	return err;
}

static int measure_bare(struct calibrator *c, enum calibrator_call call, struct round *r)
{
	struct call_time time;
	int err = calibrator_ask(c, call, 0, &time);

	if (err)
		return err;
	keep_least(&r->call.bare_ps, time.ps);
	keep_slices(&r->bare, &time);
	return 0;
}

static const enum calibrator_call calls[NR_CALLS_MEASURED] = { CALIBRATOR_DEVICE,
							       CALIBRATOR_MEMORY };

static int measure_round(struct bpf_state *s, struct calibrator *c, uint32_t slot,
			 struct round (*rounds)[MAX_ROUNDS], int nr)
{
	int bursts = s->options->overhead ? MAX_BURSTS : BURSTS;
	int first = s->skel->rodata->cfg.filter_paths ? bursts : 0, err = 0;

	for (int i = first; !err && i < NR_CALLS_MEASURED * bursts; i++)
		err = measure_traced(s, c, calls[i / bursts], slot, &rounds[i / bursts][nr]);
	bpf_programs_take_off(s->skel);
	for (int i = first; !err && i < NR_CALLS_MEASURED * bursts; i++)
		err = measure_bare(c, calls[i / bursts], &rounds[i / bursts][nr]);
	return err;
}

/* Sorts by bare - inside, which varies least with the CPU's speed. */
static int by_difference(const void *x, const void *y)
{
	const struct calibrated_call *a = &((const struct round *)x)->call,
				     *b = &((const struct round *)y)->call;
	int64_t da = (int64_t)(a->bare_ps - a->inside_ps),
		db = (int64_t)(b->bare_ps - b->inside_ps);

	return (da > db) - (da < db);
}

static int measure_copies(struct calibrator *c, struct calibration *cal)
{
	/* The sizes of the buffers that programs use. */
	static const uint32_t sizes[CALIBRATED_COPIES] = { 4096, 8192, 65536 };
	int err = 0;

	for (int i = 0; !err && i < CALIBRATED_COPIES * COPY_ROUNDS; i++) {
		struct calibrated_copy *copy = &cal->copies[i % CALIBRATED_COPIES];
		struct call_time time;

		copy->bytes = sizes[i % CALIBRATED_COPIES];
		err = calibrator_ask(c, CALIBRATOR_COPY, sizes[i % CALIBRATED_COPIES], &time);
		if (!err)
			keep_least(&copy->bare_ps, time.ps);
	}
	return err;
}

/* The value that so many percent of them are below. */
static double value_at(double *values, size_t nr, size_t percent)
{
	gsl_sort(values, 1, nr);
	return values[nr * percent / 100];
}

/*
 * What the probes add to a call, at least 1 ps. A neighbour, above all one on the other half of a
 * core, makes all calls slower by a fifth for some milliseconds, and not the loop. So what counts
 * is how many times longer a call takes with the probes than without them a moment later, and how
 * long one takes without when it is quick.
 */
static uint64_t added_ps(struct round *rounds, int nr)
{
	double ratios[MAX_ROUNDS] = { 0 }, bare[MAX_ROUNDS] = { 0 };
	double round_ps[MAX_ROUNDS] = { 0 }, ps;

	for (int i = 0; i < nr; i++) {
		struct round *r = &rounds[i];

		ratios[i] = value_at(r->traced.rounds, r->traced.nr, 50) /
			    value_at(r->bare.rounds, r->bare.nr, 50);
		bare[i] = value_at(r->bare.rounds, r->bare.nr, 5);
		round_ps[i] = value_at(r->bare.round_ps, r->bare.nr, 50);
	}
	ps = (value_at(ratios, (size_t)nr, 50) - 1) * value_at(bare, (size_t)nr, 5) *
	     value_at(round_ps, (size_t)nr, 50);
	return ps > 1 ? (uint64_t)ps : 1;
}

/*
 * The speed of a machine, above all a virtual one, may change by a third from one second to the
 * next. So the probes are taken off and put on again, and the median round counts.
 */
static int measure_calls(struct bpf_state *s, struct calibrator *c, struct calibration *cal)
{
	struct round(*rounds)[MAX_ROUNDS] = calloc(NR_CALLS_MEASURED, sizeof(*rounds));
	int wanted = s->options->overhead ? MAX_ROUNDS : ROUNDS, nr = 0, err = rounds ? 0 : -ENOMEM;
	uint32_t slot = slot_of_writes(s);

	for (; !err && nr < wanted; nr++) {
		/* Old kernels refuse to re-attach without capabilities, so one round has to do. */
		if (nr && bpf_programs_attach(s->skel))
			break;
		err = measure_round(s, c, slot, rounds, nr);
	}
	bpf_programs_take_off(s->skel);
	if (!err) {
		cal->overhead_ps = added_ps(rounds[rounds[0][0].bare.nr ? 0 : 1], nr);
		for (int i = 0; i < NR_CALLS_MEASURED; i++)
			qsort(rounds[i], nr, sizeof(rounds[i][0]), by_difference);
		cal->device = rounds[0][nr / 2].call;
		cal->memory = rounds[1][nr / 2].call;
	}
	free(rounds);
	return err;
}

int bpf_calibrate(struct bpf_state *s, struct calibration *cal)
{
	struct calibrator c;
	int err = calibrator_start(&c);

	memset(cal, 0, sizeof(*cal));
	if (!err)
		err = bpf_set_pid(s, c.pid, TASK_TRACED | TASK_CALIBRATES);
	if (!err)
		err = want_memory(s, &c);
	if (!err)
		err = measure_calls(s, &c, cal);
	if (!err)
		err = measure_copies(&c, cal);
	calibrator_end(&c);
	if (err)
		memset(cal, 0, sizeof(*cal));
	return err;
}
