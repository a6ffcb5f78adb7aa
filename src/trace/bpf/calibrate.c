// SPDX-License-Identifier: GPL-2.0
/*
 * Measures calls of a process of our own with and without the probes of the run, after its figures
 * have been read. That needs no right that iotrace has dropped by then.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "trace/bpf/programs.h"
#include "trace/bpf/state.h"
#include "trace/calibrator.h"

#define ROUNDS	    5
#define BURSTS	    3
#define COPY_ROUNDS 5

enum { NR_CALLS_MEASURED = 2 };

static int mark(struct bpf_state *s, pid_t pid)
{
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0), err;

	if (pidfd < 0)
		return -errno;
	err = bpf_set_task(s, pidfd, TASK_TRACED | TASK_CALIBRATES);
	close(pidfd);
	return err;
}

/* The slot that counts our process's writes. All figures have been read, so any slot will do. */
static uint32_t slot_of_writes(struct bpf_state *s)
{
	uint32_t *slots = s->skel->bss->slots, *own = &slots[CALL_INDEX(ABI_64, SYS_write)];

	for (int i = 0; i < NR_CALLS && (*own & SLOT_MASK) < SLOT_FIRST; i++)
		if ((slots[i] & SLOT_MASK) >= SLOT_FIRST)
			*own = SLOT_WANTED | SLOT_TRANSFERS | SLOT_FD | (slots[i] & SLOT_MASK);
	return *own & SLOT_MASK;
}

/* With -P, only the file in memory can become a wanted file. */
static int want_memory(struct bpf_state *s, const struct calibrator *c)
{
	int err;

	if (!s->skel->rodata->cfg_nr_only_paths)
		return 0;
	close_fd(&s->skel->bss->only_files[0].self_fd);
	s->skel->bss->only_files[0].self_fd = c->memory;
	err = bpf_iterate(s->skel->progs.identify_files, bpf_ignore_task, NULL);
	s->skel->bss->only_files[0].self_fd = -1;
	return err;
}

static void keep_least(uint64_t *least, uint64_t value)
{
	if (!*least || value < *least)
		*least = value;
}

/* Measures the probes' time for calls. Returns also the caller's time for each, ps. */
static int measure_inside(struct bpf_state *s, struct calibrator *c, enum calibrator_call call,
			  uint32_t slot, struct calibrated_call *result, uint64_t *ps)
{
	struct syscall_stats before = { 0 }, after = { 0 };
	int err = bpf_read_slot(s, slot, &before);

	if (!err)
		err = calibrator_ask(c, call, 0, ps);
	if (!err)
		err = bpf_read_slot(s, slot, &after);
	if (err)
		return err;
	if (after.calls == before.calls)
		return -ENODATA;
	if (after.timed > before.timed) /* not with --no-latency */
		keep_least(&result->inside_ps, (after.total_ns - before.total_ns) * 1000 /
						       (after.timed - before.timed));
	return 0;
}

/*
 * Times calls with the probes: as they are in the run, and, if those do not time every call, so
 * that they do.
 */
static int measure_traced(struct bpf_state *s, struct calibrator *c, enum calibrator_call call,
			  uint32_t slot, struct calibrated_call *result)
{
	uint32_t *every = &s->skel->data->sample_every, of_run = *every;
	uint64_t ps, ignored;
	int err = measure_inside(s, c, call, slot, result, &ps);

	if (!err)
		keep_least(&result->traced_ps, ps);
	if (err || of_run == 1)
		return err;
	*every = 1;
	err = measure_inside(s, c, call, slot, result, &ignored);
	*every = of_run;
	return err;
}

static int measure_bare(struct calibrator *c, enum calibrator_call call,
			struct calibrated_call *result)
{
	uint64_t ps;
	int err = calibrator_ask(c, call, 0, &ps);

	if (!err)
		keep_least(&result->bare_ps, ps);
	return err;
}

static const enum calibrator_call calls[NR_CALLS_MEASURED] = { CALIBRATOR_DEVICE,
							       CALIBRATOR_MEMORY };

/*
 * Times calls with and without the probes within a few milliseconds. Keeps the quickest bursts,
 * which were not interrupted.
 */
static int measure_round(struct bpf_state *s, struct calibrator *c, uint32_t slot,
			 struct calibrated_call result[NR_CALLS_MEASURED])
{
	int first = s->skel->rodata->cfg_nr_only_paths ? BURSTS : 0, err = 0;

	for (int i = first; !err && i < NR_CALLS_MEASURED * BURSTS; i++)
		err = measure_traced(s, c, calls[i / BURSTS], slot, &result[i / BURSTS]);
	bpf_programs_take_off(s->skel);
	for (int i = first; !err && i < NR_CALLS_MEASURED * BURSTS; i++)
		err = measure_bare(c, calls[i / BURSTS], &result[i / BURSTS]);
	return err;
}

/* Sorts by bare - inside, which varies least with the CPU's speed. */
static int by_difference(const void *x, const void *y)
{
	const struct calibrated_call *a = x, *b = y;
	int64_t da = (int64_t)(a->bare_ps - a->inside_ps),
		db = (int64_t)(b->bare_ps - b->inside_ps);

	return (da > db) - (da < db);
}

static int measure_copies(struct calibrator *c, struct calibration *cal)
{
	static const uint32_t sizes[CALIBRATED_COPIES] = CALIBRATED_SIZES;
	int err = 0;

	for (int i = 0; !err && i < CALIBRATED_COPIES * COPY_ROUNDS; i++) {
		struct calibrated_copy *copy = &cal->copies[i % CALIBRATED_COPIES];
		uint64_t ps;

		copy->bytes = sizes[i % CALIBRATED_COPIES];
		err = calibrator_ask(c, CALIBRATOR_COPY, sizes[i % CALIBRATED_COPIES], &ps);
		if (!err)
			keep_least(&copy->bare_ps, ps);
	}
	return err;
}

/*
 * The speed of a machine, above all a virtual one, may change by a third from one second to the
 * next. So the probes are taken off and put on again, and the median round counts.
 */
static int measure_calls(struct bpf_state *s, struct calibrator *c, struct calibration *cal)
{
	struct calibrated_call rounds[NR_CALLS_MEASURED][ROUNDS] = { 0 };
	uint32_t slot = slot_of_writes(s);
	int nr = 0, err = 0;

	for (; !err && nr < ROUNDS; nr++) {
		struct calibrated_call round[NR_CALLS_MEASURED] = { 0 };

		/* Old kernels refuse to re-attach without capabilities, so one round has to do. */
		if (nr && iotrace_bpf__attach(s->skel))
			break;
		err = measure_round(s, c, slot, round);
		for (int i = 0; i < NR_CALLS_MEASURED; i++)
			rounds[i][nr] = round[i];
	}
	bpf_programs_take_off(s->skel);
	for (int i = 0; i < NR_CALLS_MEASURED; i++)
		qsort(rounds[i], nr, sizeof(rounds[i][0]), by_difference);
	cal->device = rounds[0][nr / 2];
	cal->memory = rounds[1][nr / 2];
	return err;
}

static int measure(struct bpf_state *s, struct calibrator *c, struct calibration *cal)
{
	int err = mark(s, c->pid);

	if (!err)
		err = want_memory(s, c);
	if (!err)
		err = measure_calls(s, c, cal);
	return err ? err : measure_copies(c, cal);
}

int bpf_calibrate(struct bpf_state *s, struct calibration *cal)
{
	struct calibrator c;
	int err = calibrator_start(&c);

	memset(cal, 0, sizeof(*cal));
	if (!err)
		err = measure(s, &c, cal);
	calibrator_end(&c);
	if (err)
		memset(cal, 0, sizeof(*cal));
	return err;
}
