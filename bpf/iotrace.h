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
 * A table gives the buckets of latencies from SHORT_FROM to below SHORT_END, where no bucket is
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
	asm volatile("" : "+r"(index)); /* The compiler would drop the bound. */
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
 * A table of how many bits the numbers below SMALL_BITS have gives the buckets of sizes below
 * SMALL_END.
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
	ABI_64,	 /* The native 64-bit entry. */
	ABI_32,	 /* ia32: int 0x80, sysenter or 32-bit syscall, also by a 64-bit program. */
	ABI_X32, /* The 64-bit entry with __X32_SYSCALL_BIT. */
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
	/* A wanted call may return under this unwanted number: an execve into another ABI. */
	SLOT_LOOK = 1,
	SLOT_NEW = 2, /* The call is wanted, and has no slot yet. */
	SLOT_FIRST = 3,

	SLOT_MASK = 0xffff,
	SLOT_TRANSFERS = 1 << 16, /* The result is a number of bytes. */
	SLOT_FORKS = 1 << 17,	  /* The call returns a second time, in the new task, with 0. */
	SLOT_EXECS = 1 << 18,	  /* Its success opens the window of a command. */
	SLOT_WANTED = 1 << 19,
	SLOT_SAMPLED = 1 << 21, /* Samples are drawn of the call even if it is on no file. */
	SLOT_IDLES = 1 << 22,	/* It sleeps until another program or a timer wakes it. */
	SLOT_COMPAT = 1 << 27,	/* The call is of ia32: 32 bits of result, other registers. */
	SLOT_READY = 1U << 31,	/* The call is wanted, and has its slot. */
};

#include "figures.h"
#include "iotrace_stacks.h"
#include "iotrace_files.h"

/* The byte offsets of what decides who may trace a process. */
struct iotrace_access_offsets {
	u32 uid, euid, suid, gid, egid, sgid, caps; /* Those in struct cred; caps: cap_permitted. */
	/* Where a process is marked dumpable. 0: this kernel marks it elsewhere. */
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
	u32 task_type; /* The BTF id of struct task_struct, for bpf_rdonly_cast(). */
};

/* What the cells of a syscall and of a group have in common. */
struct iotrace_counts {
	u64 max_ns;
	u64 inverse_min_ns; /* ~0 - the minimum. 0: there is none yet. */
	u64 untimed;	    /* Calls without a latency. The others are the sum of latency[]. */
	u64 first_errors;   /* Errors with the slot's first errno, except the first of them. */
	CELL_COUNTERS
};

/*
 * One CPU's count of one syscall: of its calls that waited, or of those that did not. With groups
 * (--by) it has the latencies of all calls, and else only the calls that found no cell of a group.
 */
struct iotrace_cell {
	struct iotrace_counts counts;
	u64 ungrouped; /* With groups: the calls with a latency that found no cell of a group. */
	/* Calls of tasks outside iotrace's PID namespace: begun, and of these ended. */
	u64 outside_entered, outside_left;
	CELL_HISTOGRAMS
	u64 pad[8 - (7 + CELL_FIGURE_WORDS) % 8]; /* Cells begin with a cache line. */
};

struct iotrace_errno_key {
	u32 slot;
	u32 err;
	u32 group; /* With groups (--by), the number of the group. */
};

enum {
	TASK_TRACED = 1 << 0,
	TASK_ARMED = 1 << 1,	     /* Its next successful execve opens the window. */
	TASK_TARGET = 1 << 2,	     /* It leads a process whose threads are all wanted. */
	TASK_MAYBE_IN_CALL = 1 << 3, /* Its first return may be of a call from before the window. */
	TASK_EXCLUDED = 1 << 4,	     /* It must not be traced: iotrace itself, or an ended task. */
	TASK_READ = 1 << 5,	     /* Tracing is over, and user space has its figures. */
	TASK_OUTSIDE = 1 << 7,	     /* It is outside iotrace's PID namespace. */
	TASK_ALLOWED = 1 << 6,	     /* With -a and --cgroup: this user may trace it. */
	TASK_CALIBRATES = 1 << 8,    /* It is iotrace's own, and traced after the end. */
	TASK_OTHER = 1 << 9,	     /* It is among the `others` of its stack slot. */
	TASK_UNPLACED = 1 << 10,     /* It is among `unplaced`. */
};

/* What the storage of a task holds, whether it is traced or not. */
struct iotrace_mark {
	u32 flags;		    /* TASK_... Other tasks write to this member alone. */
	u32 number;		    /* Number of its state. 0: it has none. */
	u64 key;		    /* Key of its stack slot. 0: it has none. */
	struct iotrace_times since; /* Its times when tracing it began. */
	/* Its self_exec_id when it was last known to be allowed. 0: it never was. */
	u64 exec_id;
};

/* A stack slot, which leads from the stack of a task to its state (tasks/states.bpf.h). */
struct iotrace_stack {
	u64 key;    /* Key of the task that has the slot. 0: it is free. */
	u32 number; /* Number of its state. */
	u32 others; /* Traced tasks of this slot that are found by their task storage. */
};

/* The state of a traced task from its first call on. The task alone writes to it. */
struct iotrace_task {
	u64 start_ns;	   /* Start of the current call, CLOCK_MONOTONIC. 0: it is not timed. */
	u64 entered;	   /* Calls begun, which are added to ended_entered when the task ends. */
	u32 slot;	   /* Slot of the current call, with flags. 0: there is none. */
	u32 flags;	   /* Flags of the mark when the state was made, except those done with. */
	u64 task;	   /* Address of its task_struct. */
	u32 nvcsw, nivcsw; /* Low halves of the task's when the call began. */
	/*
	 * Buckets of the call that returns, and whether it slept or was preempted (not 0). They are
	 * in memory, because the verifier would follow each of the ranges that they can have in a
	 * register to the end.
	 */
	u32 latency, size, slept, preempted;
	u32 files; /* Number of its struct iotrace_task_files. 0: it has none. */
	/*
	 * With --sample-latency: calls before the next one that is timed, and calls after that one
	 * in its group of sample_every.
	 */
	u32 calls_to_skip, rest;
	u32 key;    /* Key of the call that begins. */
	u32 number; /* Its own. */
	/* With groups (--by): */
	u32 group; /* Number of its group at its last call. GROUP_NONE: it has made none yet. */
	/* Of the current call: */
	u32 place;	/* GROUP_PLACE() where the call began. 0: that was not seen. */
	u32 group_cell; /* Number of that cell. 0: it has none. */
	/* With --cpu, of the current call: */
	u64 cpu_since; /* When the task was last given the CPU. 0: that was not seen. */
	u64 cpu_ns;    /* CPU time until the task last lost the CPU. */
	u64 cpu_exec;  /* The scheduler's count then. 0: it has not lost the CPU. */
};

#include "iotrace_groups.h"

/* The task iterator writes this for each traced task that has entered calls or is in one. */
struct iotrace_task_record {
	u64 start_ns;
	u64 entered;
	u32 slot;
	u32 before;    /* The call was under way when tracing began: start_ns is unknown. */
	s32 pid, tgid; /* Ids in iotrace's PID namespace. */
	char comm[16];
};
