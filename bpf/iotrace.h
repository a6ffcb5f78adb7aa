/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between the probes and user space: limits, the values of the maps, and the
 * arithmetic of the histograms, which is the same code on both sides.
 */
#pragma once

#ifndef __VMLINUX_H__
#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef int32_t s32;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#include "iotrace_config.h"

/*
 * Latency histogram, log-linear: LATENCY_SUB buckets to each power of two, so that no bucket from
 * LATENCY_SUB on is wider than 1/8 of its lower edge. 0..15 ns have a bucket each; the last bucket
 * holds everything from 2^LATENCY_MAX_LOG2 ns (1099 s) up.
 */
#define LATENCY_SUB_LOG2 3
#define LATENCY_SUB	 (1 << LATENCY_SUB_LOG2)
#define LATENCY_MAX_LOG2 40
#define LATENCY_BUCKETS	 ((LATENCY_MAX_LOG2 - LATENCY_SUB_LOG2 + 1) * LATENCY_SUB + 1)

/*
 * Size histogram, powers of two: bucket 0 is 0 bytes, bucket k is [2^(k-1), 2^k), the last from 2
 * GiB up.
 */
#define SIZE_BUCKETS 33

/*
 * Is v, below 2^63, above the limit? By arithmetic: BPF can only branch on a comparison, and the
 * verifier follows both branches.
 */
static inline u32 iotrace_above(u64 v, u64 limit)
{
	u64 sign = limit - v;

#ifdef __bpf__
	asm volatile("" : "+r"(sign));
#endif
	return sign >> 63;
}

/* floor(log2(v)) of a v > 0, without a loop: BPF has no count-leading-zeros instruction. */
static inline u32 iotrace_log2(u64 v)
{
	u32 log = 0, step;

	step = iotrace_above(v >> 1, 0x7fffffff) << 5;
	v >>= step;
	log |= step;
	step = iotrace_above(v, 0xffff) << 4;
	v >>= step;
	log |= step;
	step = iotrace_above(v, 0xff) << 3;
	v >>= step;
	log |= step;
	step = iotrace_above(v, 0xf) << 2;
	v >>= step;
	log |= step;
	step = iotrace_above(v, 0x3) << 1;
	v >>= step;
	log |= step;
	return log | (u32)(v >> 1);
}

/* The lesser of v and 2^log2, which is not 1. */
static inline u64 iotrace_at_most(u64 v, u32 log2)
{
	u64 above = -(u64)iotrace_above(v >> log2, 0);

	return (v & ~above) | (above & 1ULL << log2);
}

/* The bucket of a latency; always below LATENCY_BUCKETS. */
static inline u32 latency_bucket(u64 ns)
{
	u32 log;

	ns = iotrace_at_most(ns, LATENCY_MAX_LOG2);
	log = iotrace_log2(ns | LATENCY_SUB) - LATENCY_SUB_LOG2;
	return log * LATENCY_SUB + (u32)(ns >> log);
}

/*
 * The buckets of latencies from SHORT_FROM to below SHORT_END, by a table: here no bucket is
 * narrower than LATENCY_SUB ns.
 */
#define SHORT_FROM    (LATENCY_SUB * LATENCY_SUB)
#define SHORT_END     0x1000
#define SHORT_BUCKETS (SHORT_END / LATENCY_SUB)

static inline void fill_short_buckets(u8 *buckets)
{
	for (u32 i = 0; i < SHORT_BUCKETS; i++)
		buckets[i] = (u8)latency_bucket(i * LATENCY_SUB);
}

static inline u32 is_short_latency(u64 ns)
{
	return ns - SHORT_FROM < SHORT_END - SHORT_FROM;
}

static inline u32 short_latency_bucket(const volatile u8 *buckets, u64 ns)
{
	u64 index = ns / LATENCY_SUB;

#ifdef __bpf__
	asm volatile("" : "+r"(index)); /* the compiler would leave out the bound */
#endif
	return buckets[index & (SHORT_BUCKETS - 1)];
}

/* The lowest latency of a bucket, ns; of LATENCY_BUCKETS - 1 and above, 2^LATENCY_MAX_LOG2. */
static inline u64 latency_bucket_low(u32 bucket)
{
	u32 log;

	if (bucket < 2 * LATENCY_SUB)
		return bucket;
	if (bucket >= LATENCY_BUCKETS - 1)
		return 1ULL << LATENCY_MAX_LOG2;
	log = bucket / LATENCY_SUB - 1;
	return (u64)(LATENCY_SUB + bucket % LATENCY_SUB) << log;
}

/* The bucket of a transfer size; always below SIZE_BUCKETS. */
static inline u32 size_bucket(u64 bytes)
{
	return iotrace_log2(2 * iotrace_at_most(bytes, SIZE_BUCKETS - 2) + 1);
}

/*
 * The buckets of sizes below SMALL_END, by a table of how many bits the numbers below SMALL_BITS
 * have.
 */
#define SMALL_BITS 0x100
#define SMALL_END  0x10000

static inline void fill_small_bits(u8 *bits)
{
	for (u32 v = 0; v < SMALL_BITS; v++)
		bits[v] = (u8)size_bucket(v);
}

static inline u32 small_size_bucket(const volatile u8 *bits, u64 bytes)
{
	u32 step = iotrace_above(bytes, SMALL_BITS - 1) << 3;

	return bits[bytes >> step & (SMALL_BITS - 1)] + step;
}

/* The lowest size of a bucket, bytes. */
static inline u64 size_bucket_low(u32 bucket)
{
	if (bucket == 0)
		return 0;
	return 1ULL << ((bucket < SIZE_BUCKETS ? bucket : SIZE_BUCKETS - 1) - 1);
}

/* The ways into the kernel. strace calls them personalities and prints a table for each. */
enum iotrace_abi {
	ABI_64,	 /* the native 64-bit entry */
	ABI_32,	 /* ia32 compat: int 0x80, sysenter or 32-bit syscall, also from a 64-bit program */
	ABI_X32, /* 64-bit entry with __X32_SYSCALL_BIT */
	NR_ABIS,
};

/*
 * The probes know syscall numbers below this. The 64-bit and ia32 tables end before 512, x32 before
 * 548.
 */
#define MAX_SYSCALL_NR 1024

/* The index of a call in a table of all calls of all ABIs. */
#define NR_CALLS	    (NR_ABIS * MAX_SYSCALL_NR)
#define CALL_INDEX(abi, nr) ((abi)*MAX_SYSCALL_NR + (nr))
#define CALL_ABI(index)	    ((enum iotrace_abi)((index) / MAX_SYSCALL_NR))
#define CALL_NR(index)	    ((int)((index) % MAX_SYSCALL_NR))

/*
 * A slot is a row of the cells. The table slots[], indexed by CALL_INDEX(), says what to do with
 * each call. If there are more wanted calls than cells, slots are handed out at the first use of a
 * call. A call that waits for the first time is handed out another one for those that do.
 *
 * The limit keeps the cells below 2 MiB per CPU. The 64-bit table has some 370 calls, so only a run
 * with calls of two whole tables could need more; those are counted as lost.
 */
#define MAX_SLOTS 700

enum {
	SLOT_UNWANTED = 0,
	/* Unwanted, but a wanted call may return under this number: an execve into another ABI. */
	SLOT_LOOK = 1,
	SLOT_NEW = 2, /* wanted, none handed out yet */
	SLOT_FIRST = 3,

	SLOT_MASK = 0xffff,
	SLOT_TRANSFERS = 1 << 16, /* the result is a number of bytes */
	SLOT_FORKS = 1 << 17,	  /* returns a second time, in the new task, with 0 */
	SLOT_EXECS = 1 << 18,	  /* opens the window of a command when it succeeds */
	SLOT_WANTED = 1 << 19,
	SLOT_COMPAT = 1 << 27, /* of ia32: its result has 32 bits, and its arguments other places */
	SLOT_READY = 1U << 31, /* wanted, and handed out */
};

#include "figures.h"
#include "iotrace_files.h"

/*
 * The byte offsets of where the kernel stores who may trace a process; of whether it is dumpable,
 * 0 if this kernel stores it elsewhere.
 */
struct iotrace_access_offsets {
	u32 uid, euid, suid, gid, egid, sgid, caps; /* struct cred; caps: cap_permitted */
	u32 task_state, state_value; /* task_struct.exec_state, task_exec_state.dumpable */
	u32 mm_flags;		     /* mm_struct.flags */
};

/* ROW(struct, member, name of its byte offset) */
#define TASK_OFFSETS(ROW)                                  \
	ROW("signal_struct", "group_exit_code", exit_code) \
	ROW("signal_struct", "shared_pending", pending)    \
	ROW("sigpending", "signal", pending_set)           \
	ROW("pid", "level", pid_level)                     \
	ROW("pid", "numbers", pid_numbers)                 \
	ROW("pid_namespace", "ns", ns_common)              \
	ROW("ns_common", "inum", ns_inum)

struct iotrace_task_offsets {
#define TASK_OFFSET_MEMBER(type, member, name) u32 name;
	TASK_OFFSETS(TASK_OFFSET_MEMBER)
#undef TASK_OFFSET_MEMBER
	u32 task_type; /* the BTF id of struct task_struct, for bpf_rdonly_cast() */
};

/* One CPU's count of one syscall: of its calls that waited, or of those that did not. */
struct iotrace_cell {
	u64 max_ns;
	u64 inverse_min_ns; /* ~0 - min, so that all zeroes means that there is none yet */
	u64 untimed;	    /* calls without a latency; those with one are the sum of latency[] */
	u64 first_errors;   /* errors with the slot's first errno, but for the first of them */
	CELL_COUNTERS
	u64 outside_entered; /* by tasks outside iotrace's PID namespace: calls entered ... */
	u64 outside_left;    /* ... and those of them that have ended */
	CELL_HISTOGRAMS
	u64 pad[8 - (6 + CELL_FIGURE_WORDS) % 8]; /* to whole cache lines */
};

struct iotrace_errno_key {
	u32 slot;
	u32 err;
};

enum {
	TASK_TRACED = 1 << 0,
	TASK_ARMED = 1 << 1,	     /* its next successful execve opens the window */
	TASK_TARGET = 1 << 2,	     /* it leads a process whose threads are all wanted */
	TASK_MAYBE_IN_CALL = 1 << 3, /* its first return may be of a call from before the window */
	TASK_EXCLUDED = 1 << 4,	     /* must not be traced: iotrace itself, and ended tasks */
	TASK_READ = 1 << 5,	     /* user space has its figures, and tracing is over */
	TASK_OUTSIDE = 1 << 7,	     /* of iotrace's PID namespace */
	TASK_ALLOWED = 1 << 6,	  /* where tasks are matched at each call: this user may trace it */
	TASK_CALIBRATES = 1 << 8, /* a process of iotrace's own, traced after tracing has ended */
	TASK_OTHER = 1 << 9,	  /* counted in `others` of its place (tasks/states.bpf.h) */
	TASK_UNPLACED = 1 << 10,  /* counted in `unplaced` */
};

/* What is known of a task, whether it is traced or not; in its task storage. */
struct iotrace_mark {
	u32 flags;		/* TASK_...; the only member that others than the task write to */
	u32 number;		/* of its state; 0: it has none */
	u64 key;		/* that its stack leads to its state by; 0: it does not */
	u64 user_ns, system_ns; /* its CPU time when it was taken on */
	/* The task's self_exec_id when it was last known to be allowed; 0: it never was. */
	u64 exec_id;
};

/* Where the stack of a task leads to its state. */
struct iotrace_stack {
	u64 key;    /* of the task whose state this is; 0: none */
	u32 number; /* of the state */
	u32 others; /* traced tasks with this place that are found by their task storage */
};

/* The state of a traced task from its first call on. The task alone writes to it. */
struct iotrace_task {
	u64 start_ns; /* of the call that it is in; 0: it is not timed */
	u64 entered;  /* calls; added to the global counter when it ends */
	u32 slot;     /* of the call that it is in, with its flags; 0: none */
	u32 flags;    /* the mark's, when the state was made; without those that are done with */
	u64 task;     /* address of its task_struct */
	u32 nvcsw, nivcsw; /* the task's, when the call began: their low halves */
	/*
	 * The buckets of the call that returns, and not 0 if it slept or was preempted. In memory,
	 * because the verifier would follow each of the ranges that they can have in a register to
	 * the end.
	 */
	u32 latency, size, slept, preempted;
	u32 files; /* number of its second part; 0: none, or no room for it */
	/* With --sample-latency: so many calls are not timed before the next one that is ... */
	u32 calls_to_skip;
	u32 rest; /* ... and so many after it belong to its group of sample_every calls */
	u32 key;  /* of the call that begins */
	/* The CPU time of the call: */
	u64 cpu_since; /* when the task was last given the CPU in it; 0: that was not seen */
	u64 cpu_ns;    /* until the task last lost the CPU in it */
	/* The scheduler's count of the task's CPU time, then; 0: it has not lost the CPU. */
	u64 cpu_exec;
};

/* The task iterator writes this for each traced task that has entered calls or is in one. */
struct iotrace_task_record {
	u64 start_ns;
	u64 entered;
	u32 slot;
	u32 before;    /* the call was under way when tracing began: start_ns is not known */
	s32 pid, tgid; /* in iotrace's PID namespace */
	char comm[16];
};
