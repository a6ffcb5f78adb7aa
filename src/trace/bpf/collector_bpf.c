// SPDX-License-Identifier: GPL-2.0
/* The eBPF backend: loads the probes, points them at the target, reads their counters. */
#include "trace/collector.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/message.h"
#include "trace/bpf/doctor/examine.h"
#include "trace/bpf/doctor/failure.h"
#include "trace/bpf/load/added_cells.h"
#include "trace/bpf/load/load.h"
#include "trace/bpf/load/programs.h"
#include "trace/bpf/read/read.h"
#include "trace/bpf/stacks/sampling.h"

static int ignore_sample(void *arg, void *data, size_t size)
{
	(void)arg;
	(void)data;
	(void)size;
	return 0;
}

static int bpf_open(struct collector *c, const struct trace_options *o, char *why, size_t size)
{
	struct bpf_state *s = calloc(1, sizeof(*s));
	int err;

	c->state = s;
	if (!s)
		return -ENOMEM;
	s->own_options = *o;
	s->options = &s->own_options;
	s->collector = c;
	s->cgroup_fd = s->removals_fd = -1;
	if (sampling__is_missing())
		collector_lose(c, FEATURE_STACKS, sampling__is_missing());
	err = bpf_load(s, why, size);
	if (err)
		return err;
	s->cells = calloc(s->nr_cpus, sizeof(*s->cells));
	if (!s->cells)
		return -ENOMEM;
	s->idle = ring_buffer__new(bpf_map__fd(s->skel->maps.idle), ignore_sample, NULL, NULL);
	if (!s->idle)
		return -errno;
	return s->skel->rodata->cfg_stacks ? sampling__open(&s->sampling, s) : 0;
}

/* Waits until all probes that are running now have ended. Returns 0 or -errno. */
static int wait_for_probes(struct bpf_state *s)
{
	int inner = bpf_map__fd(s->skel->maps.nothing);
	uint32_t zero = 0;

	return bpf_map_update_elem(bpf_map__fd(s->skel->maps.grace), &zero, &inner, BPF_ANY)
		       ? -errno
		       : 0;
}

/* The descriptors that a run opens at its end, and a few more: see tests/e2e/surroundings.cpp. */
#define ROOM_AT_END 12

/* Nothing that has been counted is lost for lack of a descriptor to read it with. 0 or -errno. */
static int try_room_at_end(void)
{
	int fds[ROOM_AT_END], nr = 0, err = 0;

	while (!err && nr < ROOM_AT_END) {
		fds[nr] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
		if (fds[nr] < 0 && errno != EBADF)
			err = -errno;
		nr++;
	}
	while (nr--)
		close_fd(&fds[nr]);
	return err;
}

/* Learns what the targets have mapped, and begins to unwind. */
static int start_sampling(struct bpf_state *s)
{
	if (!s->sampling)
		return 0;
	for (size_t i = 0; i < s->targets.nr; i++)
		sampling__learn(s->sampling, s->targets.id[i]);
	return sampling__start(s->sampling);
}

static int bpf_start(struct collector *c, const struct target *t, char *why, size_t size)
{
	struct bpf_state *s = c->state;
	int err = bpf_mark(s, t, why, size);

	if (err)
		return err;
	if (s->skel->rodata->cfg_pid_namespace && s->options->scope == SCOPE_ALL &&
	    !s->skel->rodata->cfg.access && !s->options->quiet)
		message_note(
			"-a means the whole machine; what is outside this PID namespace has no process ids here");
	s->start_ns = monotonic_ns();
	if (s->options->scope != SCOPE_COMMAND)
		s->skel->bss->window_start_ns = s->start_ns;
	bpf_failure_listen(s->options->verbose);
	err = bpf_programs_attach(s->skel);
	if (!err)
		err = try_room_at_end();
	if (err) {
		bpf_failure_examine(why, size, "cannot attach the eBPF probes", err);
		return err;
	}
	if (bpf_matches_per_call(s->options) && s->skel->rodata->cfg.access)
		err = bpf_mark_allowed(s, why, size);
	if (!err && s->options->with_children)
		err = bpf_mark_children(s, why, size);
	if (!err && s->skel->rodata->cfg.targets)
		err = bpf_mark_threads(s, why, size);
	if (!err && s->skel->rodata->cfg.targets && s->skel->rodata->cfg.access)
		err = bpf_check_targets(s, why, size);
	if (!err && s->skel->rodata->cfg_groups)
		err = added_cells__start(&s->added_cells, s->skel);
	return err ? err : start_sampling(s);
}

/*
 * Reads a map and goes through the tasks. Waiting needs no more rights than that, and would take
 * some 20 ms.
 */
static int bpf_try_reading(struct collector *c)
{
	struct bpf_state *s = c->state;
	uint32_t slot = 0;

	if (bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.cells), &slot, s->cells))
		return -errno;
	return bpf_try_iterators(s);
}

static void begin_counting(void *arg)
{
	struct bpf_state *s = arg;

	s->skel->bss->seen_tasks = 0;
}

/* Are there traced tasks? Searches for them if the end of one may have been missed. */
static bool has_tasks(struct bpf_state *s)
{
	if (bpf_all_ended(s))
		return false;
	if (!__atomic_load_n(&s->skel->bss->refused_ends, __ATOMIC_ACQUIRE))
		return true;
	return bpf_iterate_all(s, s->skel->progs.dump_tasks, begin_counting, NULL, s) ||
	       s->skel->bss->seen_tasks;
}

static int bpf_wakeup_fd(const struct collector *c)
{
	const struct bpf_state *s = c->state;

	/* With -a and --cgroup new tasks may appear at any time, except in a removed cgroup. */
	return bpf_matches_per_call(s->options) ? s->removals_fd : bpf_map__fd(s->skel->maps.idle);
}

static bool bpf_active(struct collector *c)
{
	struct bpf_state *s = c->state;
	char events[4096];

	/* Consume events first, so that none is missed from here on. */
	ring_buffer__consume(s->idle);
	while (s->removals_fd >= 0 && read(s->removals_fd, events, sizeof(events)) > 0)
		;
	return bpf_matches_per_call(s->options) ? !bpf_cgroup_is_gone(s) : has_tasks(s);
}

struct task_list {
	pid_t *ids;
	size_t nr, room;
};

static int list_task(void *arg, const struct iotrace_task_record *record)
{
	struct task_list *list = arg;

	if (list->nr < list->room)
		list->ids[list->nr] = record->pid;
	list->nr++;
	return 0;
}

static size_t bpf_tasks(struct collector *c, pid_t *ids, size_t room)
{
	struct task_list list = { ids, 0, room };
	struct bpf_state *s = c->state;
	int err;

	if (!bpf_does(s, FEATURE_IN_FLIGHT))
		return 0;
	s->skel->bss->list_all = 1;
	err = bpf_iterate(s->skel->progs.dump_tasks, list_task, &list);
	s->skel->bss->list_all = 0;
	return err ? 0 : list.nr;
}

/*
 * After the probes stopped counting: waits for those that are still running, then reads the states
 * of the tasks. A task that ends meanwhile has either been read or leaves its figures behind, so
 * wait for its probe too.
 */
static int read_last_tasks(struct bpf_state *s)
{
	int err = 0;

	if (!bpf_all_ended(s)) {
		err = wait_for_probes(s);
		if (!err)
			err = bpf_read_tasks(s, &s->ended);
		if (!err)
			err = wait_for_probes(s);
	}
	bpf_read_ended_tasks(s, &s->ended);
	return err;
}

static int bpf_stop(struct collector *c)
{
	struct bpf_state *s = c->state;
	int err;

	if (s->stop_ns)
		return 0;
	__atomic_store_n(&s->skel->bss->stopped, 1, __ATOMIC_SEQ_CST);
	s->stop_ns = monotonic_ns();
	if (s->sampling)
		sampling__stop(s->sampling);
	if (s->added_cells)
		added_cells__stop(s->added_cells);
	if (bpf_cgroup_is_gone(s) && !s->options->quiet)
		message_note(
			"the cgroup has been removed, and with it tracing ends: a service that starts again gets a new one");
	err = read_last_tasks(s);
	if (err)
		message_error("cannot read what the tasks were doing at the end: %s",
			      strerror(-err));
	return err;
}

static int read_files(struct bpf_state *s, struct profile *p)
{
	int err = 0;

	if (bpf_does(s, FEATURE_NAMES))
		err = bpf_iterate(s->skel->progs.name_files, NULL, NULL);
	if (err) {
		collector_lose(s->collector, FEATURE_NAMES, strerror(-err));
		if (!s->options->quiet)
			message_note("%s: %s", feature_without(FEATURE_NAMES), strerror(-err));
	}
	err = bpf_read_files(s, p);
	if (!err && s->sampling && s->stop_ns)
		err = sampling__read(s->sampling, p);
	return err;
}

static int bpf_snapshot(struct collector *c, struct profile *p, bool files)
{
	struct bpf_state *s = c->state;
	int err = 0;

	profile_free(p);
	if (s->stop_ns)
		err = profile_copy(p, &s->ended);
	p->backend = c->ops->name;
	memcpy(p->by, s->options->by, sizeof(p->by));
	if (!err)
		err = bpf_read_calls(s, p);
	if (!err && !s->stop_ns) {
		err = bpf_read_tasks(s, p);
		bpf_read_ended_tasks(s, p);
	}
	if (!s->options->files || !files)
		p->unknown |= UNKNOWN_FILES;
	else if (!err)
		err = read_files(s, p);
	if (err)
		return err;
	bpf_read_losses(s, p);
	p->under_way = s->skel->bss->under_way;
	if (!s->options->cpu)
		p->unknown |= UNKNOWN_CPU;
	if (s->skel->bss->waits_without_slot)
		p->unknown |= UNKNOWN_WAITS | UNKNOWN_IDLE;
	if (s->options->no_latency)
		p->unknown |= UNKNOWN_LATENCY | UNKNOWN_WAITS | UNKNOWN_IDLE;
	if (s->no_nagle)
		p->unknown |= UNKNOWN_NAGLE;
	if (!s->skel->rodata->cfg.entries)
		p->unknown |= UNKNOWN_ENTERED;
	p->sample_latency = s->options->sample_latency;
	p->elapsed_ns = bpf_elapsed_ns(s);
	return 0;
}

static int bpf_release(struct collector *c, struct calibration *cal)
{
	struct bpf_state *s = c->state;

	if (cal)
		return bpf_calibrate(s, cal);
	bpf_programs_take_off(s->skel);
	return 0;
}

static void bpf_close(struct collector *c)
{
	struct bpf_state *s = c->state;

	if (!s)
		return;
	sampling__close(s->sampling);
	added_cells__free(s->added_cells);
	ring_buffer__free(s->idle);
	bpf_unload(s);
	close_fd(&s->removals_fd);
	close_fd(&s->cgroup_fd);
	free(s->cells);
	group_stats_free(&s->grouped);
	ids_free(&s->targets);
	profile_free(&s->ended);
	free(s);
	c->state = NULL;
}

static bool bpf_examine(FILE *out)
{
	struct bpf_facts facts;

	bpf_find_facts(&facts, &collector_bpf);
	return bpf_report_facts(out, &facts);
}

const struct collector_ops collector_bpf = {
	.name = "bpf",
	.examine = bpf_examine,
	.open = bpf_open,
	.start = bpf_start,
	.try_reading = bpf_try_reading,
	.wakeup_fd = bpf_wakeup_fd,
	.active = bpf_active,
	.tasks = bpf_tasks,
	.stop = bpf_stop,
	.snapshot = bpf_snapshot,
	.release = bpf_release,
	.close = bpf_close,
};
