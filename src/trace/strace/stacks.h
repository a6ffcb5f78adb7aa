/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where calls come from, as strace -k says below each call: " > FILE(FUNCTION+0x4f) [0xf838f]", a
 * line for each frame, from the call outwards; the number is a place in the file (STACK_ENTRY_* in
 * strace's src/unwind.c). For parse.c alone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/profile.h"

#define STRACE_MAX_FRAMES 256 /* strace unwinds no more. */

struct strace_stacks;

/* The last call of a log, and its stack as far as that has come. */
struct strace_stack {
	bool wanted; /* The call was counted. */
	pid_t tid;
	enum iotrace_abi abi;
	int nr;
	uint32_t row; /* Of its file. 0: it has none. */
	uint64_t ns;
	unsigned frames[STRACE_MAX_FRAMES];
	size_t nr_frames;
	bool cut;
};

/* NULL: no memory. */
struct strace_stacks *strace_stacks__new(void);
void strace_stacks__free(struct strace_stacks *s);

/* These return 0 or -ENOMEM. */

/* Adds a frame to a stack; text is that of its line, without the blank that it begins with. */
int strace_stacks__frame(struct strace_stacks *s, struct strace_stack *stack, const char *text);
/* Counts the call for its stack, which is complete. There is none from now on. */
int strace_stacks__end(struct strace_stacks *s, struct strace_stack *stack);
/* Adds the stacks, and the sites of the files, to a profile that has the rows. */
int strace_stacks__put(const struct strace_stacks *s, struct profile *p);
