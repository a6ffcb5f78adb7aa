/* SPDX-License-Identifier: GPL-2.0 */
/* Ways into what runs already: processes and cgroups, with the reason when there is none. */
#ifndef IOTRACE_ATTACH_H
#define IOTRACE_ATTACH_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A pidfd of a process that the caller may trace by the kernel's own ptrace access rule (ptrace(2),
 * PTRACE_MODE_ATTACH); or -errno with one line in why: no such process, a thread and not a process, a kernel thread,
 * iotrace itself, not permitted.
 */
int attach_open_process(pid_t pid, char *why, size_t size);

/*
 * A descriptor of a cgroup v2 directory, given as a path or as a name under the mount; or -errno with one line in
 * why: none of this name, no cgroup directory, one of cgroup v1, no cgroup v2 mounted.
 */
int attach_open_cgroup(const char *name, char *why, size_t size);

/*
 * Names, in one note on stderr, the processes that the caller may not trace and that are thus left out: of the whole
 * system, or of the cgroup behind this descriptor (-1: none).
 */
void attach_note_left_out(int cgroup_fd);

#ifdef __cplusplus
}
#endif
#endif
