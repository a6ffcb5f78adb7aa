// SPDX-License-Identifier: GPL-2.0
/* The eBPF backend: loads the probes, points them at the target, reads their counters. */
#include "base/clock.h"
#include "trace/collector.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/message.h"
#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "model/histogram.h"
#include "model/syscalls.h"
#include "trace/attach.h"
#include "trace/bpf/access.h"
#include "trace/bpf/failure.h"
#include "trace/bpf/files_bpf.h"
#include "trace/bpf/programs.h"
#include "trace/bpf/slots.h"
#include "trace/kernel.h"
#include "trace/privilege.h"

/* Different errnos that a syscall is expected to give, on average. */
#define ERRNOS_PER_SLOT 8
#define MAX_ERRNOS	4096
/* The inode number of the machine's first PID namespace (include/uapi/linux/nsfs.h, include/linux/proc_ns.h). */
#define PROC_PID_INIT_INO 0xEFFFFFFCU

struct bpf_state {
	const struct trace_options *options;
	struct iotrace_bpf *skel;
	int nr_cpus;
	struct iotrace_cell *cells;  /* room for one slot's cells of all CPUs */
	struct bpf_slot_calls calls; /* as of the last snapshot */
	struct ring_buffer *idle; /* says that no traced task is left, or was left for a moment */
	uint64_t start_ns;	  /* CLOCK_MONOTONIC, when the target was handed over */
	uint64_t stop_ns;	  /* 0 while it runs */
	struct profile ended;	  /* once it is stopped: the part that tasks hold */
	int cgroup_fd;		  /* --cgroup; -1: none */
	int removals_fd;	  /* readable when it may have been removed; -1: nobody tells */
};

/* The inode number of iotrace's own PID namespace; 0: it is the first one, in which every task is. */
static uint32_t pid_namespace(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == PROC_PID_INIT_INO)
		return 0;
	return (uint32_t)st.st_ino;
}

static bool matches_per_call(const struct trace_options *o)
{
	return o->scope == SCOPE_ALL || o->scope == SCOPE_CGROUP;
}

static void configure(struct iotrace_bpf__rodata *config, const struct trace_options *o)
{
	config->cfg_storage_locks = kernel_before(6, 2) && kernel_may_preempt();
	/* Linux 7.2 leaves a probe out where the same one has been preempted on that CPU. */
	config->cfg_may_miss = config->cfg_storage_locks || !kernel_before(7, 2);
	config->cfg_pid_namespace = pid_namespace();
	config->cfg_match_per_call = matches_per_call(o);
	config->cfg_cgroup = o->scope == SCOPE_CGROUP;
	config->cfg_follow = !o->no_follow;
	config->cfg_latency = !o->no_latency;
	config->cfg_entries = !o->no_latency || o->files || !bpf_slots_number_survives(o);
	config->cfg_uid = o->uid >= 0;
	config->cfg_uid_value = o->uid;
	config->cfg_targets = o->scope == SCOPE_PIDS || (matches_per_call(o) && config->cfg_access);
	config->cfg_comm = o->comm != NULL;
	if (o->comm) /* the kernel cuts names to 15 bytes as well */
		strncpy((char *)config->cfg_comm_name, o->comm, sizeof(config->cfg_comm_name) - 1);
}

/* Loads no probe that the options do not need. */
static void choose_programs(struct iotrace_bpf *skel, const struct trace_options *o)
{
	const struct bpf_needs needs = {
		.match_per_call = matches_per_call(o),
		.files = o->files,
		.entries = skel->rodata->cfg_entries,
		.targets = skel->rodata->cfg_targets,
		.access = skel->rodata->cfg_access,
		.paths = o->nr_only_paths > 0,
	};

	bpf_programs_choose(skel, &needs);
	bpf_map__set_autocreate(skel->maps.cgroups, o->scope == SCOPE_CGROUP);
}

static int open_skeleton(struct bpf_state *s, const struct trace_options *o, char *why, size_t size)
{
	uint32_t nr_errnos;
	size_t nr_slots;
	int err;

	s->skel = iotrace_bpf__open();
	if (!s->skel)
		return -errno;
	nr_slots = bpf_slots_fill(s->skel->bss->slots, o);
	s->skel->rodata->cfg_nr_slots = nr_slots;
	err = bpf_access_configure(s->skel, why, size);
	if (err)
		return err;
	configure(s->skel->rodata, o);
	choose_programs(s->skel, o);
	nr_errnos =
		nr_slots * ERRNOS_PER_SLOT < MAX_ERRNOS ? nr_slots * ERRNOS_PER_SLOT : MAX_ERRNOS;
	err = bpf_map__set_max_entries(s->skel->maps.cells, nr_slots);
	return err ? err : bpf_map__set_max_entries(s->skel->maps.errnos, nr_errnos);
}

static int hear_nothing(void *arg, void *data, size_t size)
{
	(void)arg;
	(void)data;
	(void)size;
	return 0;
}

/* Runs a task iterator to its end; hand(arg, record) gets each record that it writes. 0 or -errno. */
static int iterate_tasks(struct bpf_program *program,
			 int (*hand)(void *arg, const struct iotrace_task_record *record),
			 void *arg)
{
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);
	struct iotrace_task_record records[64];
	ssize_t size;
	int fd, err = 0;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0)
		err = -errno;
	while (!err && (size = read(fd, records, sizeof(records))) != 0) {
		if (size < 0 && errno != EINTR && errno != EAGAIN)
			err = -errno;
		for (ssize_t i = 0; !err && i < size / (ssize_t)sizeof(*records); i++)
			err = hand(arg, &records[i]);
	}
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return err;
}

static int ignore_task(void *arg, const struct iotrace_task_record *record)
{
	(void)arg;
	(void)record;
	return 0;
}

static int bpf_open(struct collector *c, const struct trace_options *o, char *why, size_t size)
{
	struct bpf_state *s = calloc(1, sizeof(*s));
	int err;

	c->state = s;
	if (!s)
		return -ENOMEM;
	s->options = o;
	s->cgroup_fd = s->removals_fd = -1;
	why[0] = '\0';
	bpf_failure_listen(o->verbose);
	err = s->nr_cpus = libbpf_num_possible_cpus();
	if (err > 0) {
		s->cells = calloc(s->nr_cpus, sizeof(*s->cells));
		if (!s->cells)
			return -ENOMEM;
		err = open_skeleton(s, o, why, size);
	}
	if (!err)
		err = bpf_files_configure(s->skel, o, s->nr_cpus, why, size);
	if (!err)
		err = iotrace_bpf__load(s->skel);
	if (!err && o->nr_only_paths)
		err = iterate_tasks(s->skel->progs.identify_paths, ignore_task, NULL);
	if (!err) {
		int fd = bpf_map__fd(s->skel->maps.idle);

		s->idle = ring_buffer__new(fd, hear_nothing, NULL, NULL);
		err = s->idle ? 0 : -errno;
	}
	if (err && !why[0])
		bpf_failure_examine(why, size, "cannot load the eBPF probes", err);
	return err;
}

/* Writes the state of the process behind a pidfd. */
static int set_task(struct bpf_state *s, int pidfd, uint32_t flags)
{
	struct iotrace_task state = { .flags = flags };

	return bpf_map_update_elem(bpf_map__fd(s->skel->maps.tasks), &pidfd, &state, BPF_ANY)
		       ? -errno
		       : 0;
}

static int mark_command(struct bpf_state *s, const struct target *t)
{
	int err;

	s->skel->bss->live_tasks = 1;
	err = set_task(s, target__pidfd(t), TASK_TRACED | TASK_ARMED);
	if (err)
		message_error("cannot mark process %d for tracing: %s", target__pid(t),
			      strerror(-err));
	return err;
}

/* Marks the processes of -p; those that cannot be traced are named. -ESRCH if that is all of them. */
static int mark_targets(struct bpf_state *s)
{
	const struct trace_options *o = s->options;
	size_t nr = 0;

	for (size_t i = 0; i < o->nr_pids; i++) {
		char why[512];
		int pidfd = attach_open_process(o->pids[i], why, sizeof(why)), err = 0;

		if (pidfd >= 0) {
			err = set_task(s, pidfd, TASK_TARGET);
			snprintf(why, sizeof(why), "%s", strerror(-err));
			close(pidfd);
		}
		if (pidfd < 0 || err)
			message_error("cannot trace process %d: %s", o->pids[i], why);
		else
			nr++;
	}
	if (nr)
		return 0;
	message_error("none of the processes given by -p can be traced");
	return -ESRCH;
}

/*
 * Has a program go through the tasks; where it was refused a task's state, again, once whoever was in its way has had the
 * time to go on. 1: it still was; begin(arg), unless NULL, is called before each time.
 */
static int iterate_all(struct bpf_state *s, struct bpf_program *program, void (*begin)(void *arg),
		       int (*hand)(void *arg, const struct iotrace_task_record *record), void *arg)
{
	const uint64_t *refused = &s->skel->bss->refused_reads;

	for (int i = 0; i < 20; i++) {
		uint64_t before = __atomic_load_n(refused, __ATOMIC_ACQUIRE);
		int err;

		if (begin)
			begin(arg);
		err = iterate_tasks(program, hand, arg);
		if (err || __atomic_load_n(refused, __ATOMIC_ACQUIRE) == before)
			return err;
		sched_yield();
	}
	return 1;
}

/* The probes know the targets' new threads already; these are the old ones. */
static int mark_threads(struct bpf_state *s)
{
	int err = iterate_all(s, s->skel->progs.mark_tasks, NULL, ignore_task, NULL);

	if (err > 0)
		err = -EBUSY;
	if (err)
		message_error("cannot go through the threads of the processes: %s", strerror(-err));
	return err;
}

/* Cgroups do not tell of their own removal; the one above them does. -1 if nobody will: of the topmost, say. */
static int watch_removals(int cgroup_fd)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	char parent[64];

	snprintf(parent, sizeof(parent), "/proc/self/fd/%d/..", cgroup_fd);
	if (fd >= 0 && inotify_add_watch(fd, parent, IN_DELETE | IN_ONLYDIR) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool cgroup_is_gone(const struct bpf_state *s)
{
	return s->cgroup_fd >= 0 && faccessat(s->cgroup_fd, "cgroup.procs", F_OK, 0) != 0 &&
	       (errno == ENOENT || errno == ENODEV);
}

static int mark_cgroup(struct bpf_state *s)
{
	char why[512];
	uint32_t zero = 0;
	int fd = attach_open_cgroup(s->options->cgroup, why, sizeof(why)), err = 0;

	if (fd < 0) {
		message_error("%s", why);
		return fd;
	}
	s->cgroup_fd = fd;
	s->removals_fd = watch_removals(fd);
	if (bpf_map_update_elem(bpf_map__fd(s->skel->maps.cgroups), &zero, &fd, BPF_ANY)) {
		err = -errno;
		message_error("cannot trace the cgroup: %s", strerror(errno));
	}
	return err;
}

/* 1, or 0 if the process is a target already, or descends from one. */
static int take_allowed(void *arg, int pidfd)
{
	struct bpf_state *s = arg;
	struct iotrace_task state;
	int err;

	/* Tasks that nothing is known of may have a state, too; see refused() in the probes. */
	if (!bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.tasks), &pidfd, &state) && state.flags)
		return 0;
	err = set_task(s, pidfd, TASK_TARGET);
	/* It may have ended meanwhile. */
	return !err ? 1 : err == -ENOENT || err == -ESRCH ? 0 : err;
}

/*
 * For a user who may not trace everything: marks what they may trace, and names the rest. What starts meanwhile is found
 * by its parent's mark, or, if that came too late, by going through all once more.
 */
static int mark_allowed(struct bpf_state *s)
{
	const struct trace_options *o = s->options;
	const struct attach_selection selection = { s->cgroup_fd, o->uid, o->comm };
	int nr_taken, nr_all = 0;

	do {
		size_t nr_refused;
		char *refused;

		nr_taken = attach_take_all(&selection, take_allowed, s, &refused, &nr_refused);
		if (!nr_all && nr_refused && !o->quiet)
			message_note("not permitted to trace %zu process%s left out: %s",
				     nr_refused, nr_refused == 1 ? ", which is" : "es, which are",
				     refused);
		free(refused);
		nr_all += nr_taken;
	} while (nr_taken > 0);
	if (nr_taken < 0) {
		message_error("cannot go through the processes: %s", strerror(-nr_taken));
		return nr_taken;
	}
	if (nr_all)
		return 0;
	message_error("there is no process that you may trace: use sudo");
	return -EPERM;
}

/* iotrace's own calls are not the system's. */
static int exclude_self(struct bpf_state *s)
{
	int pidfd = syscall(SYS_pidfd_open, getpid(), 0), err;

	if (pidfd < 0)
		return -errno;
	err = set_task(s, pidfd, TASK_EXCLUDED);
	close(pidfd);
	return err;
}

/* What the probes must know of the target before they run. */
static int mark(struct bpf_state *s, const struct target *t)
{
	int err = 0;

	switch (s->options->scope) {
	case SCOPE_COMMAND:
		return mark_command(s, t);
	case SCOPE_PIDS:
		return mark_targets(s);
	case SCOPE_CGROUP:
		err = mark_cgroup(s);
		break;
	case SCOPE_ALL:
		break;
	}
	return err ? err : exclude_self(s);
}

/* Waits until no probe runs that had begun before. 0 or -errno. */
static int wait_for_probes(struct bpf_state *s)
{
	int inner = bpf_map__fd(s->skel->maps.nothing);
	uint32_t zero = 0;

	return bpf_map_update_elem(bpf_map__fd(s->skel->maps.grace), &zero, &inner, BPF_ANY)
		       ? -errno
		       : 0;
}

/*
 * All that is still to be done with the probes, tried once: reading a map, going through the tasks. Waiting takes some 20 ms
 * and no more rights than reading.
 */
static int try_reading(void *arg)
{
	struct bpf_state *s = arg;
	uint32_t slot = 0;

	if (bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.cells), &slot, s->cells))
		return -errno;
	return iterate_tasks(s->skel->progs.dump_tasks, ignore_task, NULL);
}

static int bpf_start(struct collector *c, const struct target *t)
{
	struct bpf_state *s = c->state;
	int err = mark(s, t);
	char why[512];

	if (err)
		return err;
	if (s->skel->rodata->cfg_pid_namespace)
		err = iterate_tasks(s->skel->progs.dump_tasks, ignore_task, NULL);
	if (err) {
		message_error("cannot find the PID namespace: %s", strerror(-err));
		return err;
	}
	if (s->skel->rodata->cfg_pid_namespace && s->options->scope == SCOPE_ALL &&
	    !s->skel->rodata->cfg_access && !s->options->quiet)
		message_note("-a means the whole machine; what is outside this PID namespace has "
			     "no process ids here");
	s->start_ns = monotonic_ns();
	if (s->options->scope != SCOPE_COMMAND)
		s->skel->bss->window_start_ns = s->start_ns;
	err = iotrace_bpf__attach(s->skel);
	if (err) {
		bpf_failure_examine(why, sizeof(why), "cannot attach the eBPF probes", err);
		message_error("%s", why);
		return err;
	}
	if (matches_per_call(s->options) && s->skel->rodata->cfg_access)
		err = mark_allowed(s);
	if (!err && s->skel->rodata->cfg_targets)
		err = mark_threads(s);
	if (err)
		return err;
	err = privilege_drop(try_reading, s);
	if (err)
		message_error("cannot drop capabilities: %s", strerror(-err));
	return err;
}

static void begin_counting(void *arg)
{
	struct bpf_state *s = arg;

	s->skel->bss->seen_tasks = 0;
}

/* Have all traced tasks been seen to end? */
static bool all_ended(const struct bpf_state *s)
{
	return __atomic_load_n(&s->skel->bss->live_tasks, __ATOMIC_ACQUIRE) <= 0;
}

/* Are there traced tasks? Where the end of one may have been missed, they are looked for. */
static bool has_tasks(struct bpf_state *s)
{
	if (all_ended(s))
		return false;
	if (!__atomic_load_n(&s->skel->bss->refused_ends, __ATOMIC_ACQUIRE))
		return true;
	return iterate_all(s, s->skel->progs.dump_tasks, begin_counting, ignore_task, s) ||
	       s->skel->bss->seen_tasks;
}

static int bpf_wakeup_fd(const struct collector *c)
{
	const struct bpf_state *s = c->state;

	/* Where new tasks may come at any time, none is the last; but a cgroup that is removed gets no more. */
	return matches_per_call(s->options) ? s->removals_fd : bpf_map__fd(s->skel->maps.idle);
}

static bool bpf_active(struct collector *c)
{
	struct bpf_state *s = c->state;
	char events[4096];

	/* First, so that what is said from here on is heard. */
	ring_buffer__consume(s->idle);
	while (s->removals_fd >= 0 && read(s->removals_fd, events, sizeof(events)) > 0)
		;
	return matches_per_call(s->options) ? !cgroup_is_gone(s) : has_tasks(s);
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

	s->skel->bss->list_all = 1;
	err = iterate_tasks(s->skel->progs.dump_tasks, list_task, &list);
	s->skel->bss->list_all = 0;
	return err ? 0 : list.nr;
}

static void add_cell(struct syscall_stats *row, const struct iotrace_cell *cell)
{
	uint64_t timed = histogram_total(cell->latency, LATENCY_BUCKETS);

	if (timed) {
		uint64_t min_ns = ~cell->inverse_min_ns;

		if (!row->timed || min_ns < row->min_ns)
			row->min_ns = min_ns;
		if (cell->max_ns > row->max_ns)
			row->max_ns = cell->max_ns;
	}
	row->timed += timed;
	row->calls += timed + cell->untimed;
	row->total_ns += cell->total_ns;
	row->errors += cell->errors;
	row->bytes += cell->bytes;
	histogram_merge(row->latency, cell->latency, LATENCY_BUCKETS);
	histogram_merge(row->sizes, cell->sizes, SIZE_BUCKETS);
}

/* Adds up what the CPUs have counted of one call. */
static int read_call(struct bpf_state *s, uint32_t slot, struct syscall_stats *row)
{
	uint32_t index = slot & SLOT_MASK;

	if (bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.cells), &index, s->cells))
		return -errno;
	row->transfers = slot & SLOT_TRANSFERS;
	for (int cpu = 0; cpu < s->nr_cpus; cpu++)
		add_cell(row, &s->cells[cpu]);
	return 0;
}

/* A call in flight, named by its CALL_INDEX(); NULL: no memory. */
static struct inflight_call *new_inflight(struct profile *p, int index)
{
	struct inflight_call *calls = reallocarray(p->inflight, p->nr_inflight + 1, sizeof(*calls)),
			     *call;

	if (!calls)
		return NULL;
	p->inflight = calls;
	call = &calls[p->nr_inflight++];
	memset(call, 0, sizeof(*call));
	call->abi = CALL_ABI(index);
	call->nr = CALL_NR(index);
	syscall_name(call->abi, call->nr, call->name, sizeof(call->name));
	return call;
}

/* What tasks outside our PID namespace have entered, from the cells that were read last: who they are is not known. */
static int add_outside(const struct bpf_state *s, struct profile *p, int index)
{
	uint64_t entered = 0, left = 0;

	for (int cpu = 0; cpu < s->nr_cpus; cpu++) {
		entered += s->cells[cpu].outside_entered;
		left += s->cells[cpu].outside_left;
	}
	p->entered += entered;
	/* While it goes on, one CPU may be read before and another after a call. */
	for (; left < entered; left++, p->in_flight++)
		if (!new_inflight(p, index))
			return -ENOMEM;
	return 0;
}

static int read_cells(struct bpf_state *s, struct profile *p)
{
	for (int index = 0; index < NR_CALLS; index++) {
		uint32_t slot = s->skel->bss->slots[index];
		struct syscall_stats counted = { .abi = CALL_ABI(index), .nr = CALL_NR(index) };
		struct syscall_stats *row;
		int err;

		if ((slot & SLOT_MASK) < SLOT_FIRST || slot & SLOT_FILES_ONLY)
			continue;
		err = read_call(s, slot, &counted);
		if (!err)
			err = add_outside(s, p, index);
		if (err)
			return err;
		if (!counted.calls)
			continue;
		row = profile_syscall(p, counted.abi, counted.nr);
		if (!row)
			return -ENOMEM;
		*row = counted;
		syscall_name(row->abi, row->nr, row->name, sizeof(row->name));
		p->returned += row->calls;
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
			continue; /* it was handed out just now, and its call is not among the rows yet */
		row = profile_syscall(p, CALL_ABI(index), CALL_NR(index));
		if (!row || syscall_stats_add_errno(row, key.err, sum))
			return -ENOMEM;
	}
	return errno == ENOENT ? 0 : -errno;
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
	struct profile *p = ((struct task_reader *)arg)->profile;

	p->entered = 0;
	p->in_flight = 0;
	p->nr_inflight = 0;
}

static int read_tasks(struct bpf_state *s, struct profile *p)
{
	struct task_reader reader = { s, p };
	int err;

	bpf_slots_calls(&s->calls, s->skel->bss->slots);
	err = iterate_all(s, s->skel->progs.dump_tasks, begin_tasks, add_task, &reader);

	if (err > 0) {
		p->unknown |= UNKNOWN_ENTERED;
		err = 0;
	}
	if (!err)
		profile_sort_inflight(p);
	return err;
}

/* What tasks that have ended have left behind. */
static void read_ended_tasks(const struct bpf_state *s, struct profile *p)
{
	p->entered += s->skel->bss->ended_entered;
	p->died += s->skel->bss->ended_inside;
}

/*
 * Once no event is looked at any more: waits for the probes that still look at one, and then reads what tasks hold. One
 * that ends meanwhile is either still read or leaves its figures behind, and is waited for, too.
 */
static int read_last_tasks(struct bpf_state *s)
{
	int err = 0;

	if (!all_ended(s)) {
		err = wait_for_probes(s);
		if (!err)
			err = read_tasks(s, &s->ended);
		if (!err)
			err = wait_for_probes(s);
	}
	read_ended_tasks(s, &s->ended);
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
	if (cgroup_is_gone(s) && !s->options->quiet)
		message_note("the cgroup has been removed, and with it tracing ends: a service "
			     "that starts again gets a new one");
	bpf_programs_take_off(s->skel);
	err = read_last_tasks(s);
	if (err)
		message_error("cannot read what the tasks were doing at the end: %s",
			      strerror(-err));
	return err;
}

/* How often the kernel has left a program out, of whomever. */
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
 * Linux 7.2 runs probes of syscalls with preemption on, and while one is preempted leaves it out for whoever runs on
 * that CPU; before 6.2 it is task storage that is refused then. A call whose entry or return that befalls is lost. Some
 * of these are noticed by the probes; what is counted otherwise is all of them and other tasks' besides, so that this is
 * the most that can be lost.
 */
static void read_losses(const struct bpf_state *s, struct profile *p)
{
	const struct iotrace_bpf__bss *bss = s->skel->bss;
	struct bpf_misses missed = bpf_programs_misses(s->skel, program_misses);

	missed.calls += bss->refused_calls;
	p->lost = missed.calls > bss->lost_calls ? missed.calls : bss->lost_calls;
	p->lost_tasks = bss->lost_tasks + missed.tasks;
	p->lost_errnos = bss->lost_errnos;
	p->left_out = bss->left_out;
}

/* From when to when the figures are. */
static uint64_t elapsed_ns(const struct bpf_state *s)
{
	const struct iotrace_bpf__bss *bss = s->skel->bss;
	uint64_t start = bss->window_start_ns ? bss->window_start_ns : s->start_ns, end;

	/* The last task of all may have ended, and others been found since. */
	if (all_ended(s) && bss->window_end_ns)
		end = bss->window_end_ns;
	else
		end = s->stop_ns ? s->stop_ns : monotonic_ns();
	return end > start ? end - start : 0;
}

static int bpf_snapshot(struct collector *c, struct profile *p)
{
	struct bpf_state *s = c->state;
	int err = 0;

	profile_free(p);
	if (s->stop_ns)
		err = profile_copy(p, &s->ended);
	p->backend = c->ops->name;
	bpf_slots_calls(&s->calls, s->skel->bss->slots);
	if (!err)
		err = read_cells(s, p);
	if (!err)
		err = read_errnos(s, p);
	if (!err && !s->stop_ns) {
		err = read_tasks(s, p);
		read_ended_tasks(s, p);
	}
	/* Of a run that goes on, files are not read: there may be thousands of them. */
	if (!s->options->files || !s->stop_ns)
		p->unknown |= UNKNOWN_FILES;
	else if (!err)
		err = bpf_files_read(s->skel, s->nr_cpus, &s->calls, p);
	if (err)
		return err;
	read_losses(s, p);
	p->under_way = s->skel->bss->under_way;
	if (s->options->no_latency)
		p->unknown |= UNKNOWN_LATENCY;
	if (!s->skel->rodata->cfg_entries)
		p->unknown |= UNKNOWN_ENTERED;
	p->elapsed_ns = elapsed_ns(s);
	return 0;
}

static void bpf_close(struct collector *c)
{
	struct bpf_state *s = c->state;

	if (!s)
		return;
	ring_buffer__free(s->idle);
	bpf_files_close_paths(s->skel, s->options);
	iotrace_bpf__destroy(s->skel);
	if (s->removals_fd >= 0)
		close(s->removals_fd);
	if (s->cgroup_fd >= 0)
		close(s->cgroup_fd);
	free(s->cells);
	profile_free(&s->ended);
	free(s);
	c->state = NULL;
}

const struct collector_ops collector_bpf = {
	.name = "bpf",
	.open = bpf_open,
	.start = bpf_start,
	.wakeup_fd = bpf_wakeup_fd,
	.active = bpf_active,
	.tasks = bpf_tasks,
	.stop = bpf_stop,
	.snapshot = bpf_snapshot,
	.close = bpf_close,
};
