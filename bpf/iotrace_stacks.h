/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between the probes and user space for samples of stacks: where calls on a file come
 * from. Calls are counted exactly, whatever is sampled. Included by iotrace.h.
 */
#pragma once

/*
 * Samples are drawn of the calls of each cell (iotrace_files.h), by weight: a call weighs its time,
 * as much again as a call of the cell takes on average, and as much again by the bytes it moves. So
 * slow and large calls are found, however rare they are, and frequent ones, however fast. A sample
 * stands for the calls since the one before.
 *
 * Shares can only be as exact as the latest samples, as nothing says when a program will end: one
 * is due when a cell's weight has grown by a SAMPLE_GROWTH-th and a part of it that is drawn, but
 * SAMPLE_GAP_NS after the one before, unless the weight has grown by a SAMPLE_LEAP-th, and in any
 * case after SAMPLE_CELL_NS. Of a cell's first calls it is drawn which is the first, of
 * SAMPLE_FIRST_CALLS or so, or with --stacks it is the first one. The run has one in SAMPLE_RUN_NS,
 * and SAMPLES_AT_ONCE more; fewer of cells with few and fast calls, of which there may be
 * thousands, and more, up to SAMPLES_AHEAD, where the weight has grown by more. Of cells with many
 * calls, or slow ones, which a finding may be about, there are SAMPLES_OF_MANY whatever the others
 * have taken.
 */
#define SAMPLE_GROWTH	   64
#define SAMPLE_LEAP	   8
#define SAMPLE_GAP_NS	   250000ULL
#define SAMPLE_CELL_NS	   50000000ULL
#define SAMPLE_GAP_CALLS   1024 /* What is drawn is at most one in so many calls. */
#define SAMPLE_FIRST_CALLS 8
#define SAMPLE_FIRST_NS	   131072ULL /* A call that takes longer is one of the first at once. */
#define SAMPLE_MANY_CALLS  256
#define SAMPLE_LONG_NS	   1000000ULL
#define SAMPLE_LEAST_NS	   64 /* A call weighs so much more than its time, at least. */
#define SAMPLE_RUN_NS	   10000000ULL
#define SAMPLES_OF_FEW	   64
#define SAMPLES_AT_ONCE	   320
#define SAMPLES_AHEAD	   512
#define SAMPLES_OF_MANY	   1024

/*
 * Size of the buffer that samples are sent through: it has room for some 240. User space takes tens
 * of milliseconds for the first one of a program, whose file it reads, and may be waiting for the
 * disk. Meanwhile there are the fewer the fuller the buffer is, since those that did not fit would
 * be whole functions of a short run: from a half on, the weight must have grown by a half, and from
 * three quarters on, have doubled.
 */
#define STACK_BUFFER_SIZE (4 * 1024 * 1024)

/* The top of the stack is read page by page: it may end soon. */
#define STACK_PAGE_SIZE 4096
#define STACK_PAGES	4

/* Registers by their number in DWARF (System V ABI, AMD64 supplement, figure 3.36). */
enum {
	STACK_RAX,
	STACK_RDX,
	STACK_RCX,
	STACK_RBX,
	STACK_RSI,
	STACK_RDI,
	STACK_RBP,
	STACK_RSP,
	STACK_R8,
	STACK_R9,
	STACK_R10,
	STACK_R11,
	STACK_R12,
	STACK_R13,
	STACK_R14,
	STACK_R15,
	STACK_RIP,
	NR_STACK_REGISTERS,
};

/* Which calls of a cell samples stand for, and when the next one is due. */
struct iotrace_sampler {
	u64 due;	 /* The weight of all its calls at which one is. 0: nothing is drawn yet. */
	u64 call_ns;	 /* What a call weighs besides its time. */
	u64 byte_weight; /* What a byte weighs besides, in 1024ths. */
	u64 calls, ns, bytes; /* Those that samples stand for. */
	u64 at_ns;	      /* When the last sample was taken. */
};

/* Frames of an interpreter that a sample has at most. */
#define PYTHON_FRAMES 32

/* A process, from one execve to the next. */
struct iotrace_interpreter_key {
	u64 exec_id; /* task_struct.self_exec_id */
	u32 tgid;    /* Its id in the first PID namespace. */
	u32 zero;
};

enum iotrace_interpreter_state {
	INTERPRETER_UNKNOWN, /* User space has not looked at it yet. */
	INTERPRETER_NONE,    /* It executes machine code. */
	INTERPRETER_PYTHON,
};

/* Where a CPython keeps its frames: an address, and offsets of members. */
struct iotrace_python {
	u64 runtime;		    /* Address of _PyRuntime. */
	u32 state;		    /* An enum iotrace_interpreter_state. */
	u32 interpreters_head;	    /* In _PyRuntime. */
	u32 threads_head;	    /* In an interpreter's state. */
	u32 next, thread_id, frame; /* In a thread's state. */
	/* "frame" points to a pointer at this offset, less one. 0: it is the frame. */
	u32 indirect;
	u32 previous, code, instruction; /* In a frame. */
	u32 filename, name, line_table;	 /* In a code object. */
};

/*
 * Of which processes the probes know what they execute: a table in memory that user space shares.
 * It must not be a map that is written by a system call: meanwhile, the kernel skips all programs
 * of perf's events on that CPU (bpf_disable_instrumentation() in kernel/bpf/syscall.c), and the
 * calls of whoever preempts it are lost.
 */
struct iotrace_interpreter {
	struct iotrace_interpreter_key key; /* With tgid 0 there is none; it is written last. */
	struct iotrace_python python;
};

#define INTERPRETERS	   1024
#define INTERPRETER_PLACES 4 /* Each process may be in one of so many places. */

static inline u32 interpreter_place(u32 tgid, u32 i)
{
	return (tgid * INTERPRETER_PLACES + i) % INTERPRETERS;
}

struct iotrace_python_frame {
	u64 code;     /* Address of its code object. */
	u64 contents; /* That the object had: another one may be there when user space reads it. */
	u64 at;	      /* What says where in the code it is. */
};

/* Since 3.14 the lowest bits of a reference say how it is counted. */
#define PYTHON_CODE (~7ULL)

/* PyASCIIObject: hash. The names of functions have one, as they are interned. */
#define PYTHON_TEXT_HASH 24

/*
 * What tells a code object from others that have its address later: where its texts and its lines
 * are, and the hash of its name, as those may have their addresses again, too.
 */
static inline u64 python_contents(u64 filename, u64 name, u64 name_hash, u64 line_table)
{
	return ((filename * 31 + name) * 31 + name_hash) * 31 + line_table;
}

/* A call of which there is a sample. */
struct iotrace_sampled_call {
	u64 weight;    /* Weight of the calls that it stands for. */
	u64 own;       /* Weight of the call itself. Never 0. */
	u64 ns;	       /* Time of the call. 0: it was not timed. */
	u64 bytes;     /* That the call has moved. */
	u32 row, slot; /* Row of the file, 0 if it has none, and slot of the syscall. */
};

struct iotrace_stack_sample {
	u64 at_ns; /* CLOCK_MONOTONIC */
	struct iotrace_sampled_call call;
	s32 pid, tid; /* Ids in iotrace's PID namespace. */
	struct iotrace_interpreter_key process;
	/* The process of which user space knew what it executes: this one, or its parent. */
	struct iotrace_interpreter_key known;
	u32 state;	/* What it executes, an enum iotrace_interpreter_state. */
	u32 nr_python;	/* Number of frames of the interpreter. */
	u32 python_cut; /* There are more of them. */
	u32 code_32;	/* The call was made by 32-bit code. */
	u32 pages;	/* Number of pages that could be read, from that of the stack pointer on. */
	struct iotrace_python_frame python[PYTHON_FRAMES];
	u64 registers[NR_STACK_REGISTERS];
	u8 stack[STACK_PAGES * STACK_PAGE_SIZE];
};
