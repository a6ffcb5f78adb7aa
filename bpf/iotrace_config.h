/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a run asks of the probes by yes or no. The kernel removes what a run turns off, which takes
 * it a tenth of a start; so the default run has an object of its own, without all that. That serves
 * runs without files or stacks as well: those two are variables in all objects
 * (kernel/kernel.bpf.h). Included by iotrace.h.
 */
#pragma once

/*
 * ROW(name, value in the default run). With perf_events, the programs that see calls are loaded
 * for perf's events instead of the tracepoints themselves; those run programs with preemption off,
 * always (include/trace/perf.h), but cost more.
 */
/* clang-format off */
#define CONFIG(ROW) \
	ROW(entries, true)         /* Entries are probed, too. */ \
	ROW(latency, true) \
	ROW(sample, false)         /* Not every call is timed. */ \
	ROW(cpu, false)            /* The CPU time of calls is counted. */ \
	ROW(follow, true)          /* Children are traced, too. */ \
	ROW(targets, false)        /* Processes are marked by TASK_TARGET. */ \
	ROW(match_per_call, false) /* Tasks are found at their calls. */ \
	ROW(cgroup, false)         /* Only tasks under cgroups[0] are traced. */ \
	ROW(comm, false)           /* Only those named cfg_comm_name are. */ \
	ROW(uid, false)            /* Only those of the user cfg_uid_value are. */ \
	ROW(access, false)         /* Only those that this user may trace are. */ \
	ROW(filter_paths, false)   /* Only files of -P are counted. */ \
	ROW(by_stack, true)        /* States are found by tasks' stacks. */ \
	ROW(storage_locks, false)  /* Task storage may be refused: see refused(). */ \
	ROW(may_miss, false)       /* States may be missed, or probes skipped. */ \
	ROW(may_miss_execs, false) /* check_exec() may be skipped: see still_allowed(). */ \
	ROW(perf_events, false)    /* Calls are seen by perf's events, as said above. */ \
	ROW(locked_down, false)    /* The kernel refuses the helper that PEEK() needs. */ \
	ROW(all_stacks, false)     /* Stacks are sampled of calls without a file, too. */
/* clang-format on */

struct iotrace_config {
#define CONFIG_MEMBER(name, by_default) bool name;
	CONFIG(CONFIG_MEMBER)
#undef CONFIG_MEMBER
};

#define DEFAULT_VALUE(name, by_default) by_default,
/* clang-format off */
#define DEFAULT_CONFIG { CONFIG(DEFAULT_VALUE) }
/* clang-format on */
