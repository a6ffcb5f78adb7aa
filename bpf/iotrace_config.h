/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a run asks of the probes by yes or no. The kernel removes what a run turns off, which takes
 * it a tenth of a start; so the default run has an object of its own, without all that. Included by
 * iotrace.h.
 */
#pragma once

/*
 * ROW(name, how the default run has it). With perf_events, the programs that see calls are loaded
 * for perf's events instead of the tracepoints themselves; those run programs with preemption off,
 * always (include/trace/perf.h), but cost more.
 */
/* clang-format off */
#define CONFIG(ROW) \
	ROW(entries, true)         /* sys_enter is attached, too */ \
	ROW(latency, true) \
	ROW(sample, false)         /* not every call is timed */ \
	ROW(cpu, false)            /* the CPU time of calls, too */ \
	ROW(follow, true)          /* children as well as threads */ \
	ROW(targets, false)        /* processes are marked by TASK_TARGET */ \
	ROW(match_per_call, false) /* tasks are found at their calls, new ones as well */ \
	ROW(cgroup, false)         /* only the tasks under cgroups[0] */ \
	ROW(comm, false)           /* only the tasks of this name: cfg_comm_name */ \
	ROW(uid, false)            /* only those of this user: cfg_uid_value */ \
	ROW(access, false)         /* only those that this user may trace: tasks/access.bpf.h */ \
	ROW(filter_paths, false)     /* only these files: files/path_filter.bpf.h */ \
	ROW(by_stack, true)        /* states are found by tasks' stacks: tasks/states.bpf.h */ \
	ROW(storage_locks, false)  /* task storage may be refused: refused() */ \
	ROW(may_miss, false)       /* so may states, or the kernel may skip probes */ \
	ROW(may_miss_execs, false) /* it may skip check_exec(): still_allowed() */ \
	ROW(perf_events, false)    /* calls are seen by perf's events: see above */ \
	ROW(locked_down, false)    /* the kernel refuses the helper that PEEK() needs */
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
