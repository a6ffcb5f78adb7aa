/* SPDX-License-Identifier: GPL-2.0 */
/* What /proc says about the tasks of a process that strace is about to attach to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/ids.h"

/*
 * Adds the threads of a process that have not ended and are not traced by anybody. Returns 1; 0:
 * some may be left out, as threads begin and end meanwhile; or -ENOMEM.
 */
int strace_list_untraced(pid_t pid, struct ids *threads);

/* Adds the children that its threads have. 0 or -ENOMEM; none if the kernel does not tell. */
int strace_list_children(pid_t pid, struct ids *children);

/* How often a task has let go of the CPU, as it does in each stop of ptrace(2). -1: it is gone. */
long strace_switches_of(pid_t pid, pid_t tid);

/* The number of the call that a task is in. -1: none, or it cannot be known. */
int strace_call_of(pid_t pid, pid_t tid);
