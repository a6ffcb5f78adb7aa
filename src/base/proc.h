/* SPDX-License-Identifier: GPL-2.0 */
/* Other processes: what /proc says of them, and signals to them. */
#ifndef IOTRACE_PROC_H
#define IOTRACE_PROC_H

#include <stddef.h>
#include <sys/types.h>

/* Who traces a task; 0: nobody, or it is not to be known. */
pid_t tracer_of(pid_t tid);

/* The process that a thread belongs to; 0 if that is not to be known any more. */
pid_t process_of(pid_t tid);

/* Its real user; -1 if that is not to be known any more. */
long user_of(pid_t pid);

/* Its name, untrusted; "?" if it is not to be known any more. */
void name_of(pid_t tid, char *comm, size_t size);

/*
 * kill(2) of one process alone: -EINVAL for a pid of 0 and below, which stands for a process group or for all processes
 * of the machine. 0 or -errno.
 */
int proc_signal(pid_t pid, int sig);

/*
 * A pidfd of a process that has this pipe open, by its inode number: whoever else may have got the id is not signalled by
 * it. -ESRCH if that process has not, or has ended; or another -errno.
 */
int proc_open_holder(pid_t pid, ino_t pipe);

#endif
