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

struct strace_stacks;

/* A call that was counted, and whose stack may be in the next lines of its log. */
struct strace_stacked {
	pid_t tid;
	enum iotrace_abi abi;
	int nr;
	uint32_t row; /* Of its file. 0: it has none. */
	uint64_t ns, bytes;
};

/* NULL: no memory. */
struct strace_stacks *strace_stacks__new(void);
void strace_stacks__free(struct strace_stacks *s);

/* These return 0 or -ENOMEM. */

/* Adds a log. The logs are numbered from 0. */
int strace_stacks__add_log(struct strace_stacks *s);
/* A call has returned in a log. */
void strace_stacks__begin(struct strace_stacks *s, int log, const struct strace_stacked *call);
/* Adds a frame to the call's stack; text is its line's, without the blank at the beginning. */
int strace_stacks__frame(struct strace_stacks *s, int log, const char *text);
/* Counts the last call of the log, if that has not been done, for its stack, which is complete. */
int strace_stacks__end(struct strace_stacks *s, int log);
int strace_stacks__end_all(struct strace_stacks *s);
/* Adds the stacks, and the sites of the files, to a profile that has the rows. */
int strace_stacks__put(const struct strace_stacks *s, struct profile *p);
