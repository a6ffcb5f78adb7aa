/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tasks that strace attaches to, and the calls that they were inside before. For parse.c alone.
 */
#pragma once

#include <sys/types.h>

#include "trace/strace/parse.h"
#include "trace/strace/tasks.h"

struct strace_expected {
	struct strace_tasks tasks; /* of which there is no line yet */
	int restarts[NR_ABIS];	   /* the numbers of restart_syscall */
};

void strace_expected_start(struct strace_expected *e);

/* A task will be attached to inside the call of this number; -1: in none. NULL: no memory. */
struct strace_task *strace_expected_add(struct strace_expected *e, pid_t tid, int nr);

/* What has become of the call that a task was inside. */
enum strace_before {
	BEFORE_NONE,	    /* there was none */
	BEFORE_BEGUN_AGAIN, /* the line is about it */
	BEFORE_ENDED,	    /* it has returned, unseen */
};

/*
 * Takes the first call of a task, *nr, and forgets what was expected. The call from before is
 * *before; if it begins again, *nr becomes its number.
 */
enum strace_before strace_expected_take(struct strace_expected *e, pid_t tid, enum iotrace_abi abi,
					int *nr, int *before);

void strace_expected_free(struct strace_expected *e);
