// SPDX-License-Identifier: GPL-2.0
/*
 * The probes decide which tasks are traced, and count their calls. The configuration is const
 * volatile, so the verifier removes code that is switched off.
 *
 * sys_enter and sys_exit run with preemption off (include/trace/bpf_probe.h), and a task's storage
 * is written by the task alone, so neither per-CPU cells nor task storage need atomics.
 */
#include <vmlinux.h> /* in angle brackets, because the Makefile selects it */
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "iotrace.h"

#define NULL ((void *)0)

#define TS_COMPAT	2	   /* arch/x86/include/asm/thread_info.h: in a 32-bit call */
#define X32_SYSCALL_BIT 0x40000000 /* arch/x86/include/uapi/asm/unistd.h */
#define SIGKILL		9
#define PF_EXITING	4 /* include/linux/sched.h */
#define ENOENT		2 /* include/uapi/asm-generic/errno-base.h */
#define ENOTDIR		20
#define MAX_ERRNO	4095 /* include/linux/err.h */
#define NO_KEY		NR_CALLS

/* Configuration, set before loading. */
const volatile bool cfg_targets = false; /* processes are marked by TASK_TARGET */
/* Conditions for tasks that are matched at each call (-a, --cgroup): */
const volatile bool cfg_cgroup = false; /* only the tasks under cgroups[0] */
const volatile bool cfg_comm = false;	/* only the tasks of this name */
const volatile char cfg_comm_name[16] = {};
const volatile bool cfg_uid = false; /* only the tasks of this user */
const volatile u32 cfg_uid_value = 0;
/* Trace only tasks that this user may trace: */
const volatile bool cfg_access = false;
const volatile u32 cfg_access_uid = 0;
const volatile u32 cfg_access_gid = 0;
const volatile u64 cfg_access_caps = 0; /* the capabilities that such a task may have */
const volatile struct iotrace_dumpable cfg_dumpable = {};
const volatile bool cfg_follow = true; /* children as well as threads */
/* Tasks are matched at each of their calls, so new ones may appear at any time. */
const volatile bool cfg_match_per_call = false;
const volatile bool cfg_entries = true; /* sys_enter is attached too */
const volatile bool cfg_latency = true;
const volatile bool cfg_cpu = false; /* the CPU time of calls, too */
const volatile u32 cfg_nr_slots = SLOT_FIRST;
const volatile bool cfg_may_miss = false; /* the kernel may skip probes, or refuse a task's state */
const volatile bool cfg_storage_locks = false; /* task storage may be refused; see refused() */

/* How each call is handled. User space fills it; if slots are scarce, the probes hand them out. */
u32 slots[NR_CALLS + 1];
u32 next_slot = SLOT_FIRST;
u32 wait_slots[SLOT_FIRST + MAX_SLOTS]; /* by slot: the one for the calls that wait; 0: none yet */
u32 waits_without_slot; /* such calls found none: they are counted among the others */

/*
 * Set by user space when tracing ends. After that all events are ignored, whatever is still
 * attached, except those of a task that calibrates.
 */
u32 stopped;

/* Figures outside the cells, written with atomics. None is on the hot path. */
u64 ended_entered; /* calls entered by tasks that have ended */
u64 ended_inside;  /* calls whose task ended before they returned */
u64 lost_calls;	   /* calls that found no slot, or whose return was not seen */
u64 lost_tasks;	   /* tasks that could not be followed for want of memory */
u64 under_way;	   /* returns of calls that were under way when tracing began: not counted */
u64 lost_errnos;   /* errors that are counted, but without their errno */
u64 left_out;	   /* processes that gained more privileges than cfg_access allows */
u64 refused_calls; /* entries and returns at which task storage was refused, of any task */
u64 refused_reads; /* tasks whose state an iterator was refused */
u64 refused_ends;  /* ends of tasks at which task storage was refused, of any task */
u64 seen_tasks;	   /* by dump_tasks() since user space set it to 0: traced, not ended */
u32 list_all;	   /* set by user space: dump_tasks() writes all traced tasks */
long live_tasks;   /* traced tasks that have not been seen to end */
/* CLOCK_MONOTONIC: the command's execve; for other targets set by user space. */
u64 window_start_ns;
u64 window_end_ns; /* the last task's end; with cfg_match_per_call there is none */

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct iotrace_task);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_cell);
} cells SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_errno_key);
	__type(value, u64);
} errnos SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} cgroups SEC(".maps");

/* Readable when the last traced task has ended, or may have. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} idle SEC(".maps");

/*
 * User space waits for the probes by updating this map of maps: the update waits for all programs
 * that may still use the old element (maybe_wait_bpf_programs() in kernel/bpf/syscall.c; since
 * 5.0).
 */
struct nothing {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} nothing SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__array(values, struct nothing);
} grace SEC(".maps"); /* empty until then: filling it, too, waits */

static __always_inline void count_late_entry(struct iotrace_task *state, bool match_per_call);

#include "pid_namespace.bpf.h"
#include "switches.bpf.h"
#include "files.bpf.h"

static __always_inline void wake_up(void)
{
	u32 token = 0;

	bpf_ringbuf_output(&idle, &token, sizeof(token), 0);
}

/*
 * Counts one traced task less. The window ends with the last one, unless new ones may appear. If
 * ends have been missed, user space finds out whether it was the last one.
 */
static __always_inline void forget_task(void)
{
	bool last = __sync_fetch_and_add(&live_tasks, -1) == 1;

	if (cfg_match_per_call)
		return;
	if (last)
		window_end_ns = bpf_ktime_get_ns();
	if (last || (cfg_storage_locks && refused_ends))
		wake_up();
}

/*
 * Finds or makes the state of a task; NULL without memory. If two CPUs make the first storage of a
 * task at once, one of them fails (bpf_local_storage_alloc() in kernel/bpf/bpf_local_storage.c) and
 * finds the other's.
 */
static __always_inline struct iotrace_task *make_state(struct task_struct *task)
{
	struct iotrace_task *state;

	state = bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!state)
		state = bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	return state;
}

/*
 * Before Linux 6.2, a look-up in task storage fails as if there were none while another user of
 * task storage is preempted on this CPU (bpf_task_storage_trylock() in
 * kernel/bpf/bpf_task_storage.c). If even the current task cannot be given a state, the look-up was
 * refused, and it is unknown whether the task has a state.
 */
static __always_inline bool refused(struct iotrace_task *state)
{
	return cfg_storage_locks && !state && !make_state(bpf_get_current_task_btf());
}

static __always_inline bool is_outside(const struct iotrace_task *state, bool match_per_call)
{
	return match_per_call && cfg_pid_namespace && state->flags & TASK_OUTSIDE;
}

/* Counts calls of outside tasks, see is_outside(), that begin or end. */
__noinline int count_outside(u32 slot, u32 entered, u32 left)
{
	u32 index = slot & SLOT_MASK;
	struct iotrace_cell *cell = bpf_map_lookup_elem(&cells, &index);

	if (cell) {
		cell->outside_entered += entered;
		cell->outside_left += left;
	}
	return 0;
}

/*
 * Counts the beginning of a call: in the state of the task, or, if no iterator can read that, in
 * the cell.
 */
static __always_inline void count_entry(struct iotrace_task *state, u32 slot, bool match_per_call)
{
	if (is_outside(state, match_per_call))
		count_outside(slot, 1, 0);
	else
		state->entered++;
}

/*
 * Counts the beginning of a call at its return, if it was not seen before or not known to be
 * wanted.
 */
static __always_inline void count_late_entry(struct iotrace_task *state, bool match_per_call)
{
	if (is_outside(state, match_per_call))
		__sync_fetch_and_add(&ended_entered, 1);
	else
		state->entered++;
}

/* Counts the end of the call that an outside task is in, if that call is counted. */
static __always_inline void leave_outside(struct iotrace_task *state)
{
	if (state->slot && !(state->slot & SLOT_OTHER_FILE))
		count_outside(state->slot, 0, 1);
}

/* Is the process of this task a target, whose threads are all wanted? */
static __always_inline bool of_target(struct task_struct *task)
{
	struct iotrace_task *leader;

	if (!cfg_targets)
		return false;
	leader = bpf_task_storage_get(&tasks, task->group_leader, 0, 0);
	return leader && leader->flags & TASK_TARGET;
}

/*
 * The programs are attached in the order of this file: the end of a task is seen before any task is
 * taken on, and returns before entries, so that no call is seen to enter whose return would be
 * missed.
 *
 * A target's thread may end while mark_tasks() is about to take it on: whoever sets the second of
 * the flags TASK_EXCLUDED and TASK_TRACED undoes it.
 */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(task_exit, struct task_struct *task)
{
	struct iotrace_task *state = bpf_task_storage_get(&tasks, task, 0, 0);
	u32 old;

	if (refused(state)) {
		__sync_fetch_and_add(&refused_ends, 1);
		wake_up();
		return 0;
	}
	if (!state && of_target(task))
		state = make_state(task);
	if (!state)
		return 0;
	/* A leader may end before its threads; its state still marks the process as a target. */
	old = __sync_fetch_and_or(&state->flags, TASK_EXCLUDED);
	if (!(old & TASK_TRACED))
		return 0;
	/* dump_tasks() has read its figures. */
	if (old & TASK_READ) {
		forget_task();
		return 0;
	}
	if (cfg_files)
		flush_figures(&state->files, task);
	if (is_outside(state, cfg_match_per_call)) {
		if (stopped)
			return 0; /* it was in flight when tracing ended */
		leave_outside(state);
	}
	if (state->slot && !(state->slot & SLOT_OTHER_FILE) && !(state->flags & TASK_ARMED))
		__sync_fetch_and_add(&ended_inside, 1);
	__sync_fetch_and_add(&ended_entered, state->entered);
	state->entered = 0;
	state->slot = 0;
	__sync_fetch_and_and(&state->flags, TASK_EXCLUDED | TASK_TARGET);
	forget_task();
	return 0;
}

/*
 * The index into slots[] of a call; NO_KEY, whose entry is SLOT_UNWANTED, for numbers beyond the
 * table.
 */
static __always_inline u32 call_key(struct task_struct *task, u64 id)
{
	u32 nr = id, abi = ABI_64;

	if (task->thread_info.status & TS_COMPAT) {
		abi = ABI_32;
	} else if (nr & X32_SYSCALL_BIT) {
		abi = ABI_X32;
		nr &= ~X32_SYSCALL_BIT;
	}
	if (nr >= MAX_SYSCALL_NR)
		return NO_KEY;
	return CALL_INDEX(abi, nr);
}

/* Hands out a slot at the first use of a call. Returns 0 if none is left. */
__noinline u32 new_slot(u32 key)
{
	u32 old, slot;

	if (key >= NO_KEY)
		return 0;
	old = slots[key];
	if ((old & SLOT_MASK) != SLOT_NEW)
		return old;
	slot = __sync_fetch_and_add(&next_slot, 1);
	if (slot >= cfg_nr_slots)
		return 0;
	slot |= old & ~SLOT_MASK;
	/* If another CPU was quicker, its slot is valid and this one stays unused. */
	old = __sync_val_compare_and_swap(&slots[key], old, slot);
	return (old & SLOT_MASK) == SLOT_NEW ? slot : old;
}

/*
 * Begins to trace a task, once, unless it has ended. Counts it first, because it may end at any
 * time after it is marked.
 */
static __always_inline void trace_task(struct iotrace_task *state, u32 flags)
{
	u32 old;

	__sync_fetch_and_add(&live_tasks, 1);
	old = __sync_fetch_and_or(&state->flags, TASK_TRACED | flags);
	if (old & (TASK_TRACED | TASK_EXCLUDED))
		forget_task();
	if (old & TASK_EXCLUDED)
		__sync_fetch_and_and(&state->flags, TASK_EXCLUDED | TASK_TARGET);
}

/* include/linux/mm_types.h: MMF_DUMPABLE_MASK, and the only value that lets others look. */
#define DUMPABLE_MASK 3
#define DUMP_BY_USER  1

static __always_inline bool is_dumpable(struct task_struct *task)
{
	void *mm = task->mm;

	if (!mm)
		return false;
	if (cfg_dumpable.task_state)
		return PEEK(u32, PEEK(void *, task, cfg_dumpable.task_state),
			    cfg_dumpable.state_value) == DUMP_BY_USER;
	return (PEEK(u64, mm, cfg_dumpable.mm_flags) & DUMPABLE_MASK) == DUMP_BY_USER;
}

/*
 * The kernel's own rule for a user without CAP_SYS_PTRACE (__ptrace_may_access() in kernel/ptrace.c
 * and cap_ptrace_access_check()): all ids of the task are the user's, it is dumpable, and it has no
 * more capabilities.
 */
static __always_inline bool may_trace(struct task_struct *task)
{
	const struct cred *cred = task->real_cred;
	u64 caps = 0;

	if (cred->uid.val != cfg_access_uid || cred->euid.val != cfg_access_uid ||
	    cred->suid.val != cfg_access_uid || cred->gid.val != cfg_access_gid ||
	    cred->egid.val != cfg_access_gid || cred->sgid.val != cfg_access_gid)
		return false;
	bpf_probe_read_kernel(&caps, sizeof(caps), &cred->cap_permitted);
	if (caps & ~cfg_access_caps)
		return false;
	return is_dumpable(task);
}

/*
 * A user without CAP_SYS_PTRACE sees the processes that the kernel lets them attach to when tracing
 * begins (user space asks the kernel, security modules included), and what these start, until an
 * execve gives them more privileges.
 */
static __always_inline bool is_allowed(struct task_struct *task)
{
	struct iotrace_task *state = bpf_task_storage_get(&tasks, task, 0, 0);

	if (refused(state))
		__sync_fetch_and_add(&refused_calls, 1);
	return state && state->flags & TASK_ALLOWED;
}

/* Is the task to be traced although tracing has ended? */
static __always_inline bool calibrates(struct task_struct *task)
{
	struct iotrace_task *state = bpf_task_storage_get(&tasks, task, 0, 0);

	return state && state->flags & TASK_CALIBRATES;
}

/*
 * Is the task wanted? -a and --cgroup ask at each call, because a task may move, or change its name
 * or user.
 */
static __always_inline bool matches(struct task_struct *task)
{
	if (cfg_access && !is_allowed(task))
		return false;
	if (cfg_cgroup && bpf_current_task_under_cgroup(&cgroups, 0) != 1)
		return false;
	if (cfg_uid && (u32)bpf_get_current_uid_gid() != cfg_uid_value)
		return false;
	if (cfg_comm) {
		char comm[16] = {};

		bpf_get_current_comm(comm, sizeof(comm));
		for (int i = 0; i < 16; i++) {
			if (comm[i] != cfg_comm_name[i])
				return false;
			if (!comm[i])
				break;
		}
	}
	return true;
}

static __always_inline bool is_wanted(struct task_struct *task)
{
	return matches(task) || (stopped && calibrates(task));
}

/*
 * The state of a wanted task, which is traced from now on; NULL if it must not be traced, or
 * without memory (a loss).
 */
static __always_inline struct iotrace_task *claimed_state(struct task_struct *task)
{
	struct iotrace_task *state = make_state(task);

	if (!state) {
		__sync_fetch_and_add(&lost_calls, 1);
		return NULL;
	}
	if (state->flags & TASK_EXCLUDED)
		return NULL;
	if (!(state->flags & TASK_TRACED)) {
		if (cfg_files)
			begin_busy(&state->files, task);
		trace_task(state, (task->start_time < window_start_ns ? TASK_MAYBE_IN_CALL : 0) |
					  (visible_pid(task) ? 0 : TASK_OUTSIDE));
	}
	return state;
}

/* The state of the current task if it was marked before; NULL otherwise. */
static __always_inline struct iotrace_task *marked_state(struct task_struct *task)
{
	struct iotrace_task *state = bpf_task_storage_get(&tasks, task, 0, 0);

	if (refused(state))
		__sync_fetch_and_add(&refused_calls, 1);
	return state && state->flags & TASK_TRACED ? state : NULL;
}

/* The state of the current task if this call of it is to be counted; NULL otherwise. */
static __always_inline struct iotrace_task *traced_state(struct task_struct *task,
							 bool match_per_call)
{
	if (!match_per_call)
		return marked_state(task);
	return is_wanted(task) ? claimed_state(task) : NULL;
}

/*
 * The slot of a wanted call, handed out at its first use. If none is left, counts a loss and
 * returns 0.
 */
static __always_inline u32 slot_for(u32 key)
{
	u32 slot = slots[key];

	if ((slot & SLOT_MASK) != SLOT_NEW)
		return slot;
	slot = new_slot(key);
	if (!slot)
		__sync_fetch_and_add(&lost_calls, 1);
	return slot;
}

__noinline int count_errno(u32 slot, u32 err)
{
	struct iotrace_errno_key key = { .slot = slot, .err = err };
	u64 zero = 0, *count;

	count = bpf_map_lookup_elem(&errnos, &key);
	if (!count) {
		/* If another CPU made it first, it exists all the same. */
		bpf_map_update_elem(&errnos, &key, &zero, BPF_NOEXIST);
		count = bpf_map_lookup_elem(&errnos, &key);
	}
	if (count)
		*count += 1;
	else
		__sync_fetch_and_add(&lost_errnos, 1);
	return 0;
}

/* The slot of the calls that wait, which is handed out at the first of them. */
__noinline u32 wait_slot(u32 slot)
{
	u32 waiting, old;

	if (slot >= SLOT_FIRST + MAX_SLOTS)
		return slot;
	waiting = wait_slots[slot];
	if (waiting)
		return waiting;
	waiting = __sync_fetch_and_add(&next_slot, 1);
	if (waiting >= cfg_nr_slots) {
		waits_without_slot = 1;
		return slot;
	}
	old = __sync_val_compare_and_swap(&wait_slots[slot], 0, waiting);
	return old ?: waiting;
}

/* Adds one returned call to its cell. */
static __always_inline void count_call(u32 slot, long ret, bool timed, u64 ns, u32 switched,
				       u64 cpu_ns)
{
	u32 number = slot & SLOT_MASK, index = number, bucket;
	struct iotrace_cell *cell;

	if (switched & CALL_WAITED)
		index = wait_slot(number);
	cell = bpf_map_lookup_elem(&cells, &index);
	if (!cell)
		return;
	if (timed) {
		cell->total_ns += ns;
		if (cfg_cpu)
			cell->cpu_ns += cpu_ns;
		if (ns > cell->max_ns)
			cell->max_ns = ns;
		if (~ns > cell->inverse_min_ns)
			cell->inverse_min_ns = ~ns;
		bucket = latency_bucket(ns);
		cell->preempted += switched / CALL_PREEMPTED;
		if (bucket < LATENCY_BUCKETS)
			cell->latency[bucket]++;
	} else {
		cell->untimed++;
	}
	if ((unsigned long)ret >= (unsigned long)-MAX_ERRNO) {
		cell->errors++;
		count_errno(number, -ret);
	} else if (slot & SLOT_TRANSFERS) {
		cell->bytes += ret;
		bucket = size_bucket(ret);
		if (bucket < SIZE_BUCKETS)
			cell->sizes[bucket]++;
	}
}

/* Can a seccomp filter answer calls of this task? */
static __always_inline bool has_filter(struct task_struct *task)
{
	return !bpf_core_field_exists(task->seccomp.mode) || task->seccomp.mode;
}

/*
 * Handles the return of a wanted call whose entry was not seen. There are four kinds: the call that
 * created the task (one entry, two returns); a call that began before tracing, or before the task
 * moved into the cgroup; a call that a seccomp filter answered before the entry probe
 * (kernel/entry/common.c), which is counted without a time; and, without a filter, a call whose
 * entry probe the kernel skipped.
 */
__noinline int return_without_entry(struct iotrace_task *state, u32 key, long ret,
				    bool match_per_call, bool filtered)
{
	bool fresh;
	u32 slot;

	if (!state || key >= NO_KEY || slots[key] < SLOT_WANTED)
		return 0;
	if (ret == 0 && slots[key] & SLOT_FORKS)
		return 0;
	fresh = state->flags & TASK_MAYBE_IN_CALL;
	if (fresh)
		state->flags &= ~TASK_MAYBE_IN_CALL;
	if (cfg_entries && (fresh || !filtered)) {
		__sync_fetch_and_add(fresh || match_per_call ? &under_way : &lost_calls, 1);
		return 0;
	}
	slot = slot_for(key);
	if (!slot || cfg_nr_only_paths)
		return 0;
	count_late_entry(state, match_per_call);
	count_call(slot, ret, false, 0, 0, 0);
	return 0;
}

/* Is this execve, which opens the window when it succeeds? */
static __always_inline bool is_exec(u32 key)
{
	return slots[key] == SLOT_LOOK || slots[key] & SLOT_EXECS;
}

/*
 * Is the task being killed, so that it will not see this call return? ptrace would not see the
 * return either (ptrace_stop() in kernel/signal.c): the call ends with its task. But for other
 * fatal signals, and only without ptrace, the kernel sends SIGKILL to all threads at once
 * (complete_signal()): in the task that takes the signal the call does return before the task dies,
 * for example with EPIPE for SIGPIPE.
 */
static __always_inline bool dies_inside(struct task_struct *task)
{
	unsigned long taken;
	int sig;

	sig = BPF_CORE_READ(task, signal, group_exit_code) & 0x7f;
	if (!sig || sig == SIGKILL)
		return true;
	taken = 1UL << (sig - 1);
	if (task->pending.signal.sig[0] & taken)
		return false;
	return task->pid != task->tgid ||
	       !(BPF_CORE_READ(task, signal, shared_pending.signal.sig[0]) & taken);
}

/*
 * Returns the slot, or 0 if an earlier call stored it: with cfg_may_miss, the return of that call
 * and the entry of this one may have been missed. The number in the registers shows that, except
 * for calls that overwrite it.
 */
__noinline u32 own_slot(u32 slot, u32 key)
{
	if (!slot || slot & SLOT_EXECS || key >= NO_KEY || !(slots[key] & SLOT_WANTED) ||
	    (slots[key] & SLOT_MASK) == (slot & SLOT_MASK))
		return slot;
	if (!(slot & SLOT_OTHER_FILE))
		__sync_fetch_and_add(&lost_calls, 1);
	return 0;
}

/* Has tracing ended for this task? */
static __always_inline bool is_over(const struct iotrace_task *state)
{
	return stopped && !(state->flags & TASK_CALIBRATES);
}

/* The state of the current task at a return; NULL if the return is not counted. */
static __always_inline struct iotrace_task *returning_state(struct task_struct *task,
							    bool match_per_call)
{
	struct iotrace_task *state = traced_state(task, match_per_call);

	if (match_per_call && !state) {
		/*
		 * A call that it entered in the cgroup counts, even if it has left the cgroup;
		 * nothing else does.
		 */
		state = bpf_task_storage_get(&tasks, task, 0, 0);
		if (state && !state->slot)
			return NULL;
	}
	if (!state)
		return NULL;
	if (task->pending.signal.sig[0] & 1UL << (SIGKILL - 1) && dies_inside(task))
		return NULL;
	return is_over(state) ? NULL : state;
}

/*
 * Opens the window at a successful execve, which is the first call in it. Returns whether it did.
 */
static __always_inline bool opens_window(struct iotrace_task *state, u32 key, u32 slot, long ret)
{
	if (ret != 0 || !is_exec(key))
		return false;
	state->flags &= ~TASK_ARMED;
	window_start_ns = bpf_ktime_get_ns();
	if (slot && !(slot & SLOT_OTHER_FILE))
		state->entered++;
	return true;
}

static __always_inline int leave(struct pt_regs *regs, long ret, bool match_per_call, bool files)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_task *state;
	u32 narrower = (task->thread_info.status & TS_COMPAT) * (32 / TS_COMPAT);
	u64 now = 0;
	u32 key, slot, switched = 0;

	/*
	 * The number in the registers is only a first filter: rt_sigreturn has overwritten it (-1),
	 * and execve may have changed the ABI (SLOT_LOOK). The entry probe stored which call this
	 * is.
	 */
	key = call_key(task, regs->orig_ax);
	if (slots[key] == SLOT_UNWANTED && (int)regs->orig_ax != -1)
		return 0;
	state = returning_state(task, match_per_call);
	if (!state)
		return 0;
	if (files && ret == 0 && is_exec(key)) {
		/* Before its first call on a file a task is of no program: it is of the new one. */
		if (state->flags & TASK_ARMED)
			begin_busy(&state->files, task);
		else if (state->files.program.pid)
			flush_figures(&state->files, task);
		begin_program(&state->files, SCRATCH_RETURN);
	}
	/*
	 * Use 32 bits of 32-bit calls: sigreturn returns the eax that the signal interrupted, not
	 * sign-extended.
	 */
	ret = ret << narrower >> narrower;
	slot = state->slot;
	if (is_outside(state, match_per_call))
		leave_outside(state);
	if (cfg_may_miss)
		slot = own_slot(slot, key);
	if (cfg_latency && slot) {
		now = bpf_ktime_get_ns();
		switched = switches_since(state, task);
	}
	state->slot = 0;
	if (state->flags & TASK_ARMED && !opens_window(state, key, slot, ret))
		return 0;
	if (slot && files)
		slot = files_exit(task, state, regs, slot, ret, match_per_call, cfg_latency,
				  now - state->start_ns, switched);
	if (slot & SLOT_OTHER_FILE)
		return 0;
	if (slot && files && cfg_latency) {
		u64 ran = !(switched & CALL_WAITED);

		state->files.busy.run_calls += ran;
		state->files.busy.run_ns += ran * (now - state->start_ns);
	}
	if (slot)
		count_call(slot, ret, cfg_latency, now - state->start_ns, switched,
			   cfg_cpu ? cpu_time(state, task, now, now - state->start_ns) : 0);
	else if (state->flags & TASK_TRACED)
		return_without_entry(state, key, ret, match_per_call, has_filter(task));
	return 0;
}

static __always_inline int enter(struct pt_regs *regs, u64 id, bool match_per_call, bool files)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_task *state;
	u32 key, slot;

	key = call_key(task, id);
	if (slots[key] < SLOT_WANTED)
		return 0;
	state = traced_state(task, match_per_call);
	if (!state || is_over(state))
		return 0;
	slot = slot_for(key);
	if (!slot)
		return 0;
	if (files)
		slot = files_enter(task, state, regs, slot);
	if (!(state->flags & TASK_ARMED)) {
		if (state->slot && !(state->slot & SLOT_OTHER_FILE))
			__sync_fetch_and_add(&lost_calls, 1);
		if (is_outside(state, match_per_call))
			leave_outside(state); /* it has ended, unseen */
		if (!(slot & SLOT_OTHER_FILE))
			count_entry(state, slot, match_per_call);
		state->flags &= ~TASK_MAYBE_IN_CALL;
	}
	if (files && !cfg_latency)
		state->nvcsw = task->nvcsw;
	/* The slot is stored last: a reader that sees it also sees its time. */
	if (cfg_latency) {
		state->nvcsw = task->nvcsw;
		state->nivcsw = task->nivcsw;
		state->start_ns = bpf_ktime_get_ns();
		if (cfg_cpu)
			state->cpu_exec = 0;
	}
	barrier();
	state->slot = slot;
	return 0;
}

/*
 * There is a program for each way to find the task, with and without per-file figures, so a run
 * pays only for what it uses. The kernel keeps 15 bytes of their names.
 */
#define PROBES(whose, suffix, match_per_call, files)                       \
	SEC("?tp_btf/sys_exit")                                            \
	int BPF_PROG(whose##_exit##suffix, struct pt_regs *regs, long ret) \
	{                                                                  \
		return leave(regs, ret, match_per_call, files);            \
	}                                                                  \
	SEC("?tp_btf/sys_enter")                                           \
	int BPF_PROG(whose##_enter##suffix, struct pt_regs *regs, long id) \
	{                                                                  \
		return enter(regs, id, match_per_call, files);             \
	}

PROBES(sys, , false, false) /* tasks that were marked before: the command's, or those of -p */
PROBES(any, , true, false)  /* tasks that are matched at each call: -a and --cgroup */
PROBES(sys, _files, false, true)
PROBES(any, _files, true, true)

/*
 * Traced tasks' threads and children are traced from their first instruction: this runs before they
 * do.
 */
SEC("?tp_btf/task_newtask")
int BPF_PROG(newtask, struct task_struct *child)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	struct iotrace_task *mine, *state;

	mine = bpf_task_storage_get(&tasks, parent, 0, 0);
	if (refused(mine)) {
		__sync_fetch_and_add(&lost_tasks, 1);
		return 0;
	}
	/* A thread of a target that is not marked yet: mark its child now. */
	if (!(mine && mine->flags & (TASK_TRACED | TASK_ALLOWED)) && !of_target(parent))
		return 0;
	if (!cfg_follow && child->tgid != parent->tgid)
		return 0;
	state = make_state(child);
	if (!state) {
		__sync_fetch_and_add(&lost_tasks, 1);
		return 0;
	}
	if (cfg_match_per_call)
		__sync_fetch_and_or(&state->flags, TASK_ALLOWED);
	else
		trace_task(state, 0);
	return 0;
}

/*
 * A traced process has executed a program, and may have new credentials: set-user-ID, file
 * capabilities, or a file that its user may not read. If they exceed the user's own, the process is
 * not traced any more, from this call on.
 */
SEC("?tp_btf/sched_process_exec")
int BPF_PROG(check_exec, struct task_struct *task)
{
	struct iotrace_task *state = bpf_task_storage_get(&tasks, task, 0, 0);
	u32 old;

	/*
	 * It is unknown whether this process is traced, and it cannot be excluded: stop tracing
	 * altogether.
	 */
	if (refused(state) && !may_trace(task)) {
		stopped = 1;
		__sync_fetch_and_add(&lost_tasks, 1);
	}
	if (!state || !(state->flags & (TASK_TRACED | TASK_ALLOWED | TASK_TARGET)) ||
	    may_trace(task))
		return 0;
	old = __sync_fetch_and_or(&state->flags, TASK_EXCLUDED);
	if (old & (TASK_EXCLUDED | TASK_READ))
		return 0;
	__sync_fetch_and_add(&left_out, 1);
	if (old & TASK_TRACED) {
		if (cfg_files)
			flush_figures(&state->files, task);
		if (state->slot && !(state->slot & SLOT_OTHER_FILE) && !(old & TASK_ARMED))
			state->entered--;
		__sync_fetch_and_add(&ended_entered, state->entered);
		state->entered = 0;
		state->slot = 0;
		forget_task();
	}
	__sync_fetch_and_and(&state->flags, TASK_EXCLUDED);
	return 0;
}

/*
 * Begins to trace all threads of the targets. newtask() handles threads that are born meanwhile; do
 * not wait for those that end.
 */
SEC("?iter/task")
int mark_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct iotrace_task *state;

	if (!task || task->flags & PF_EXITING)
		return 0;
	if (!of_target(task)) {
		if (refused(NULL))
			__sync_fetch_and_add(&refused_reads, 1);
		return 0;
	}
	state = make_state(task);
	if (!state)
		__sync_fetch_and_add(&lost_tasks, 1);
	else if (cfg_match_per_call)
		__sync_fetch_and_or(&state->flags, TASK_ALLOWED);
	else if (!(state->flags & (TASK_TRACED | TASK_EXCLUDED))) {
		if (cfg_files)
			begin_busy(&state->files, task);
		trace_task(state, TASK_MAYBE_IN_CALL);
	}
	return 0;
}

/*
 * The slot of the wanted call that a sleeping task has been in since before tracing began; 0: none
 * is known.
 */
static __always_inline u32 slot_from_before(struct task_struct *task, struct iotrace_task *state)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	u32 key = call_key(task, regs->orig_ax);

	/*
	 * A task in user mode is running; a task that sleeps in a page fault has no number in its
	 * registers.
	 */
	if (!(state->flags & TASK_MAYBE_IN_CALL) || !task->__state || slots[key] < SLOT_WANTED)
		return 0;
	return cfg_nr_only_paths ? 0 : slot_for(key);
}

/* Runs once before tracing, in a task of iotrace: identifies its root and the files of -P. */
SEC("?iter/task")
int identify_files(struct bpf_iter__task *ctx)
{
	if (!ctx->meta->seq_num)
		identify_files_of_user_space();
	return 0;
}

static long name_row(void *map, const struct iotrace_file_key *key, struct iotrace_file *row,
		     void *arg)
{
	name_again(key, row);
	return 0;
}

/*
 * Runs once, in a task of iotrace: gives each file the name that it has now. An iterator over the
 * map itself (iter/bpf_map_elem) is refused by some kernels that allow this one.
 */
SEC("?iter/task")
int name_files(struct bpf_iter__task *ctx)
{
	if (!ctx->meta->seq_num)
		bpf_for_each_map_elem(&file_rows, name_row, NULL, 0);
	return 0;
}

/*
 * Lets user space read what only task storage holds: the calls entered, and the calls that tasks
 * are in.
 */
SEC("iter/task")
int dump_tasks(struct bpf_iter__task *ctx)
{
	struct iotrace_task_record record = {};
	struct task_struct *task = ctx->task;
	struct iotrace_task *state;

	find_pid_namespace();
	if (!task)
		return 0;
	state = bpf_task_storage_get(&tasks, task, 0, 0);
	if (refused(state))
		__sync_fetch_and_add(&refused_reads, 1);
	if (!state || (state->flags & (TASK_TRACED | TASK_ARMED)) != TASK_TRACED)
		return 0;
	if (cfg_storage_locks && !(task->flags & PF_EXITING))
		seen_tasks++;
	/* At the end of tracing, this or task_exit() accounts for a task, whichever comes first. */
	if (stopped && (__sync_fetch_and_or(&state->flags, TASK_READ) &
			(TASK_EXCLUDED | TASK_READ)) == TASK_EXCLUDED)
		return 0;
	if (stopped && cfg_files)
		flush_figures(&state->files, task);
	record.slot = state->slot & SLOT_OTHER_FILE ? 0 : state->slot;
	record.start_ns = state->start_ns;
	if (!state->slot) {
		record.slot = slot_from_before(task, state);
		record.before = record.slot != 0;
	}
	if (!record.slot && !state->entered && !list_all)
		return 0;
	record.entered = state->entered;
	record.pid = visible_pid(task);
	record.tgid = visible_tgid(task);
	__builtin_memcpy(record.comm, task->comm, sizeof(record.comm));
	bpf_seq_write(ctx->meta->seq, &record, sizeof(record));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
