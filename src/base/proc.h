/* SPDX-License-Identifier: GPL-2.0 */
/* Files of /proc and /sys: what they say about other processes; and signals to these. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Reads the first line of a file; "" if it cannot be read. */
void read_line(const char *path, char *line, size_t size);

/* Reads the number that a file begins with; returns otherwise if it has none or cannot be read. */
int read_number(const char *path, int otherwise);

/* The number of tasks of the machine, the kernel's threads included; 0 if it cannot be known. */
int number_of_tasks(void);

/* Bytes that the machine has for new allocations; 0 if that cannot be known. */
uint64_t available_memory(void);

/* Is /proc that of another PID namespace than iotrace's? Its numbers are other processes' then. */
bool proc_is_foreign(void);
#define PROC_IS_FOREIGN \
	"/proc is that of another PID namespace: 'mount -t proc proc /proc' brings this one's"

/* Opens /proc/PID/NAME for reading; NULL with errno. */
FILE *proc_open(pid_t pid, const char *name);

/* The tracer of a task; 0 if it has none or it cannot be known. */
pid_t tracer_of(pid_t tid);

/* The process of a thread; 0 if it cannot be known any more. */
pid_t process_of(pid_t tid);

/* The process that made a process, or has adopted it; 0 if it cannot be known any more. */
pid_t parent_of(pid_t pid);

/* The number of threads of a process; 0 if it cannot be known any more. */
long threads_of(pid_t pid);

/* The real user of a process; -1 if it cannot be known any more. */
long user_of(pid_t pid);

/* The name of a task (untrusted); "?" if it cannot be known any more. */
void name_of(pid_t tid, char *comm, size_t size);

/* The path of a process's executable (untrusted), to be freed; NULL if it cannot be known. */
char *executable_of(pid_t pid);

/*
 * kill(2) for a single process. Returns 0 or -errno; -EINVAL for a pid <= 0, which would signal a
 * group or all processes.
 */
int proc_signal(pid_t pid, int sig);

/*
 * Opens a pidfd of a process that has this pipe (by inode number) open, so that a reused pid is not
 * signalled. Returns it, -ESRCH if the process has ended or does not have the pipe open, or another
 * -errno.
 */
int proc_open_holder(pid_t pid, ino_t pipe);
