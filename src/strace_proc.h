/* SPDX-License-Identifier: GPL-2.0 */
/* What /proc says of tasks that strace's log knows by their number alone. */
#ifndef IOTRACE_STRACE_PROC_H
#define IOTRACE_STRACE_PROC_H

#include <stddef.h>
#include <sys/types.h>

/* Who traces a task; 0: nobody, or it is not to be known. */
pid_t tracer_of(pid_t tid);

/* The process that a thread belongs to; itself, if that is not to be known any more. */
pid_t process_of(pid_t tid);

/* Its name, untrusted; "?" if it is not to be known any more. */
void name_of(pid_t tid, char *comm, size_t size);

#endif
