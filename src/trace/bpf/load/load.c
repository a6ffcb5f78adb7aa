// SPDX-License-Identifier: GPL-2.0
/*
 * From the options to loaded probes. A kernel may refuse a program that a run can do without: then
 * that program's feature is given up, with the reason, and the others stay.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/descriptor.h"
#include "base/message.h"
#include "base/proc.h"
#include "trace/bpf/doctor/failure.h"
#include "trace/bpf/load/load.h"
#include "trace/bpf/load/probes.h"
#include "trace/bpf/load/programs.h"
#include "trace/bpf/start/start.h"
#include "trace/kernel.h"
#include "trace/privilege.h"

/* The expected average number of different errnos of a syscall. */
#define ERRNOS_PER_SLOT 8
#define MAX_ERRNOS	4096

/*
 * There is room for the states of twice the tasks that there are now, and of so many more. Those
 * that are counted by file are larger, and there are fewer. A test builds with next to none.
 */
#define MORE_STATES	 16384
#define MORE_FILE_STATES 2048

/*
 * The inode number of the machine's first PID namespace (include/uapi/linux/nsfs.h,
 * include/linux/proc_ns.h).
 */
#define PROC_PID_INIT_INO 0xEFFFFFFCU

/*
 * The inode number of iotrace's own PID namespace; 0: it is the first one, in which every task is.
 */
static uint32_t pid_namespace(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == PROC_PID_INIT_INO)
		return 0;
	return (uint32_t)st.st_ino;
}

/*
 * May a look-up in task storage fail because another user of it has been preempted? See refused()
 * in the probes.
 */
static bool task_storage_locks(void)
{
	return kernel_before(6, 2) && kernel_may_preempt();
}

/*
 * Linux 7.0 skips a program of a tracepoint while the same program is preempted on that CPU; those
 * of the tracepoints of syscalls since 7.2.
 */
static bool tasks_preempt(void)
{
	return !kernel_before(7, 0) && kernel_may_preempt();
}

static bool calls_preempt(void)
{
	return !kernel_before(7, 2) && kernel_may_preempt();
}

bool bpf_matches_per_call(const struct trace_options *o)
{
	return o->scope == SCOPE_ALL || o->scope == SCOPE_CGROUP;
}

static struct iotrace_config config_for(const struct bpf_state *s, const struct trace_options *o)
{
	struct iotrace_config config = {
		.entries = !o->no_latency || o->files || o->by[0] || !bpf_slots_number_survives(o),
		.latency = !o->no_latency,
		.sample = o->sample_latency > 1,
		.cpu = o->cpu,
		.follow = !o->no_follow,
		.match_per_call = bpf_matches_per_call(o),
		.cgroup = o->scope == SCOPE_CGROUP,
		.comm = o->comm != NULL,
		.uid = o->uid >= 0,
		.access = !privilege_may_trace_all(),
		.filter_paths = o->nr_filter_paths > 0,
		.storage_locks = task_storage_locks(),
		.perf_events = s->perf_events,
		.locked_down = kernel_locked_down(),
		.all_stacks = o->all_stacks && bpf_does(s, FEATURE_STACKS),
	};

	config.targets = o->scope == SCOPE_PIDS || (config.match_per_call && config.access);
	config.may_miss = config.storage_locks || !bpf_does(s, FEATURE_EVERY_CALL);
	config.may_miss_execs = config.access && tasks_preempt();
	config.by_stack = !config.may_miss;
	return config;
}

static void configure(struct iotrace_bpf__rodata *rodata, const struct trace_options *o)
{
	fill_short_buckets((uint8_t *)rodata->cfg_short);
	fill_small_bits((uint8_t *)rodata->cfg_bits);
	rodata->cfg_pid_namespace = pid_namespace();
	rodata->cfg_own_pid = (uint32_t)getpid();
	rodata->cfg_uid_value = o->uid;
	if (o->comm) /* The kernel cuts names to 15 bytes as well. */
		strncpy((char *)rodata->cfg_comm_name, o->comm, sizeof(rodata->cfg_comm_name) - 1);
}

/* Restricts the probes to what the user may trace. 0, or -EOPNOTSUPP with the reason in why. */
static int configure_access(struct iotrace_bpf__rodata *rodata, char *why, size_t size)
{
	int err;

	if (!rodata->cfg.access)
		return 0;
	rodata->cfg_access_uid = getuid();
	rodata->cfg_access_gid = getgid();
	rodata->cfg_access_caps = privilege_permitted();
	err = bpf_find_access_offsets((struct iotrace_access_offsets *)&rodata->cfg_access_at);
	if (err)
		snprintf(
			why, size,
			"this kernel's BTF does not say whose a process is, and so which ones you may trace: use sudo");
	return err;
}

/* Loads no probe that the options do not need. */
static void choose_programs(const struct bpf_state *s, const struct trace_options *o)
{
	struct iotrace_bpf *skel = s->skel;
	const struct bpf_needs needs = {
		.match_per_call = bpf_matches_per_call(o),
		.files = o->files,
		.entries = skel->rodata->cfg.entries,
		.targets = skel->rodata->cfg.targets,
		.access = skel->rodata->cfg.access,
		.cpu = o->cpu,
		.names = bpf_does(s, FEATURE_NAMES),
		.root = bpf_does(s, FEATURE_ROOT),
		.in_flight = bpf_does(s, FEATURE_IN_FLIGHT),
		.late = tasks_preempt(),
	};

	bpf_programs_choose(skel, &needs);
	bpf_map__set_autocreate(skel->maps.wanted_cgroup, o->scope == SCOPE_CGROUP);
	bpf_map__set_autocreate(skel->maps.stack_samples, skel->rodata->cfg_stacks);
	bpf_map__set_max_entries(skel->maps.stack_samples, STACK_BUFFER_SIZE);
}

/*
 * Makes room for the states of tasks, for the numbers of those that are given back, and for the
 * cells and errnos of the calls.
 */
static int size_maps(struct bpf_state *s, const struct bpf_slot_plan *plan)
{
	uint32_t now = 2 * (uint32_t)number_of_tasks();
	uint32_t tasks = MORE_STATES + now, files = MORE_FILE_STATES + now;
	/* There may be no call to count (-e none), but there is no map without an element. */
	uint32_t errnos = plan->nr_calls ? plan->nr_calls * ERRNOS_PER_SLOT : 1;
	struct iotrace_bpf *skel = s->skel;
#ifdef ROOM_FOR_FILES
	files = ROOM_FOR_FILES;
#endif
	const struct {
		struct bpf_map *map;
		uint32_t entries;
	} sizes[] = {
		{ skel->maps.states, tasks },
		{ skel->maps.free_states, tasks },
		{ skel->maps.task_files, files },
		{ skel->maps.free_files, files },
		{ skel->maps.task_groups, tasks },
		{ skel->maps.cells, plan->end },
		{ skel->maps.errnos, errnos < MAX_ERRNOS ? errnos : MAX_ERRNOS },
	};
	int err = 0;

	skel->rodata->cfg_end_state = tasks;
	skel->rodata->cfg_end_files = files;
	for (size_t i = 0; !err && i < ARRAY_SIZE(sizes); i++)
		err = bpf_map__set_max_entries(sizes[i].map, sizes[i].entries);
	return err;
}

static int open_skeleton(struct bpf_state *s, const struct trace_options *o, char *why, size_t size)
{
	struct iotrace_config config = config_for(s, o);
	enum probes probes = probes_for(&config, o->by[0]);
	struct bpf_slot_plan plan;
	int err;

	if (o->verbose)
		message_note("the probes' object is the %s one", probes_name(probes));
	s->skel = probes_open(probes);
	if (!s->skel)
		return -errno;
	*(struct iotrace_config *)&s->skel->rodata->cfg = config;
	s->skel->rodata->cfg_stacks = bpf_does(s, FEATURE_STACKS);
	s->skel->bss->root.fd = -1;
	bpf_path_filter_init(s->skel);
	plan = bpf_slots_fill(s->skel->bss->slots, o);
	s->skel->rodata->cfg_nr_slots = plan.end;
	s->skel->data->next_slot = plan.next;
	s->skel->data->sample_every = o->sample_latency;
	err = configure_access(s->skel->rodata, why, size);
	if (err)
		return err;
	configure(s->skel->rodata, o);
	choose_programs(s, o);
	return size_maps(s, &plan);
}

/* Finds out all that loading needs to know. */
static int prepare(struct bpf_state *s, char *why, size_t size)
{
	int err;

	start_begin();
	err = open_skeleton(s, s->options, why, size);
	if (!err)
		err = bpf_files_size(s, why, size);
	if (!err)
		err = bpf_groups_size(s, why, size);
	if (err)
		return err;
	start_opened(s->skel->obj);
	err = bpf_find_task_offsets((struct iotrace_task_offsets *)&s->skel->rodata->cfg_task_at,
				    why, size);
	if (!err)
		err = bpf_files_configure(s, why, size);
	if (!err && !s->perf_events)
		err = bpf_programs_see_tracepoints(s->skel);
	start_prepared();
	return err;
}

static int load_skeleton(struct bpf_state *s)
{
	int err, delayed;

	if (!s->one_by_one)
		start_loading();
	err = iotrace_bpf__load(s->skel);
	delayed = start_loaded();
	if (err || !delayed)
		return err;
	/* libbpf says what is wrong only of what it has loaded itself. */
	s->one_by_one = true;
	return delayed;
}

int bpf_try_iterators(struct bpf_state *s)
{
	int err = 0;

	if (bpf_does(s, FEATURE_NAMES))
		err = bpf_iterate(s->skel->progs.name_files, NULL, NULL);
	if (!err && bpf_does(s, FEATURE_IN_FLIGHT))
		err = bpf_iterate(s->skel->progs.dump_tasks, NULL, NULL);
	return err;
}

/* Loads what has not been given up. 0, or -errno with the reason in why. */
static int load(struct bpf_state *s, char *why, size_t size)
{
	const struct trace_options *o = s->options;
	int err;

	why[0] = '\0';
	bpf_failure_listen(o->verbose);
	err = s->nr_cpus = libbpf_num_possible_cpus();
	if (err > 0)
		err = prepare(s, why, size);
	if (!err)
		err = load_skeleton(s);
	start_end();
	if (!err && bpf_does(s, FEATURE_ROOT))
		err = bpf_iterate(s->skel->progs.identify_files, NULL, NULL);
	/*
	 * There are no files and no tasks yet: this tries whether the programs may run, and finds
	 * our PID namespace.
	 */
	if (!err)
		err = bpf_try_iterators(s);
	if (err && !why[0])
		bpf_failure_examine(why, size, "cannot load the eBPF probes", err);
	return err;
}

void bpf_unload(struct bpf_state *s)
{
	if (!s->skel)
		return;
	close_fd(&s->skel->bss->root.fd);
	bpf_path_filter_close(s->skel);
	iotrace_bpf__destroy(s->skel);
	s->skel = NULL;
}

/* The feature that a program is for; NR_FEATURES: no run can do without it. */
static enum feature feature_of(const char *program)
{
	static const struct {
		const char *program;
		enum feature feature;
	} programs[] = {
		{ "marked_enter_files", FEATURE_FILES },  { "marked_exit_files", FEATURE_FILES },
		{ "matched_enter_files", FEATURE_FILES }, { "matched_exit_files", FEATURE_FILES },
		{ "identify_files", FEATURE_ROOT },	  { "name_files", FEATURE_NAMES },
		{ "switch_task", FEATURE_CPU },		  { "dump_tasks", FEATURE_IN_FLIGHT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (!strcmp(program, programs[i].program))
			return programs[i].feature;
	return NR_FEATURES;
}

/* Can this run do without a feature that it has now? */
static bool may_give_up(const struct bpf_state *s, enum feature feature)
{
	const struct trace_options *o = s->options;

	if (!bpf_does(s, feature))
		return false;
	switch (feature) {
	case FEATURE_FILES:
		return !o->files_needed;
	case FEATURE_ROOT:
		return !o->nr_filter_paths;
	case FEATURE_IN_FLIGHT:
		/*
		 * dump_tasks also finds iotrace's own namespace, and the tasks whose end was
		 * missed.
		 */
		return !pid_namespace() && !task_storage_locks();
	default:
		return true;
	}
}

static void give_up(struct bpf_state *s, enum feature feature, const char *why)
{
	collector_lose(s->collector, feature, why);
	if (feature == FEATURE_FILES)
		s->own_options.files = false;
	if (feature == FEATURE_CPU)
		s->own_options.cpu = false;
}

bool bpf_does(const struct bpf_state *s, enum feature feature)
{
	const struct trace_options *o = s->options;

	if (s->collector->lost[feature])
		return false;
	switch (feature) {
	case FEATURE_CPU:
		return o->cpu;
	case FEATURE_STACKS:
		return o->stacks && o->files;
	case FEATURE_IN_FLIGHT:
	case FEATURE_EVERY_CALL:
		return true;
	default:
		return o->files;
	}
}

/* 0, or -errno with the reason in why: the run cannot do without what the kernel keeps from it. */
static int check_lockdown(struct bpf_state *s, char *why, size_t size)
{
	if (!kernel_locked_down())
		return 0;
	snprintf(
		why, size,
		"the kernel is locked down (lockdown=confidentiality), which keeps %s from eBPF: boot with lockdown=integrity, or without",
		pid_namespace() ? "the ids in this PID namespace" : "a process's files");
	if (pid_namespace())
		return -EPERM;
	if (!bpf_does(s, FEATURE_FILES))
		return 0;
	if (!may_give_up(s, FEATURE_FILES))
		return -EPERM;
	give_up(s, FEATURE_FILES, why);
	return 0;
}

/* Where probes of syscalls may be preempted, perf's events are used; without, calls get lost. */
static void check_preemption(struct bpf_state *s)
{
	char why[512];
	int fd;

	if (!calls_preempt())
		return;
	fd = tracepoint_open("sys_enter");
	s->perf_events = fd >= 0;
	if (fd >= 0) {
		close(fd);
		return;
	}
	snprintf(
		why, sizeof(why),
		"Linux skips probes of syscalls while one is preempted (since 7.2), but for those of perf's events, whose numbers tracefs has: %s; use sudo, or give your group tracefs (mount -o remount,mode=750,gid=GROUP /sys/kernel/tracing)",
		strerror(-fd));
	collector_lose(s->collector, FEATURE_EVERY_CALL, why);
}

int bpf_load(struct bpf_state *s, char *why, size_t size)
{
	int refused = check_lockdown(s, why, size);

	if (refused)
		return refused;
	check_preemption(s);
	for (;;) {
		bool one_by_one = s->one_by_one;
		int err = load(s, why, size);
		enum feature feature;

		if (!err)
			return 0;
		if (s->one_by_one && !one_by_one) {
			bpf_unload(s);
			continue;
		}
		feature = feature_of(bpf_failure_program());
		if (feature == FEATURE_ROOT && s->options->nr_filter_paths) {
			char refused[512];

			snprintf(refused, sizeof(refused), "%s", why);
			snprintf(why, size, "-P: which files are meant cannot be found out: %s",
				 refused);
			return err;
		}
		/* Some kernels, and some rights, are enough for all but the files. */
		if (feature == NR_FEATURES || !may_give_up(s, feature))
			feature = FEATURE_FILES;
		if (!may_give_up(s, feature))
			return err;
		bpf_unload(s);
		give_up(s, feature, why);
	}
}
