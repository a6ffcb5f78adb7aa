/* SPDX-License-Identifier: GPL-2.0 */
/* Opens running processes and cgroups, or says why it cannot. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Opens a pidfd of a process that the caller may trace by the kernel's own ptrace access rule
 * (ptrace(2), PTRACE_MODE_ATTACH). Returns it, or -errno with one line in why: no such process, a
 * thread and not a process, a kernel thread, iotrace itself, not permitted.
 */
int attach_open_process(pid_t pid, char *why, size_t size);

/*
 * Opens a cgroup v2 directory, given as a path or as a name under the mount. Returns the
 * descriptor, or -errno with one line in why: none of this name, no cgroup directory, one of cgroup
 * v1, no cgroup v2 mounted.
 */
int attach_open_cgroup(const char *name, char *why, size_t size);

/*
 * Returns the id of the topmost cgroup of version 2 that is to be seen, which is that of its
 * directory (kernfs_ino() in include/linux/kernfs.h). 0: none is mounted.
 */
uint64_t attach_cgroup_root(void);

/* Selects the processes to name if the caller may not trace them. */
struct attach_selection {
	int cgroup_fd;	  /* Descriptor of the cgroup that they are in. -1: any. */
	long long uid;	  /* Their user. -1: any. */
	const char *comm; /* Their name. NULL: any. */
};

/*
 * Calls take() with a pidfd, as of attach_open_process(), of every process that the caller may
 * trace. take() returns 1, or 0 if it knew the process already, or -errno to stop. Returns the sum,
 * or -errno. *refused (to be freed) names the selected processes that may not be traced: "name
 * (12), other (13)", escaped.
 */
int attach_take_all(const struct attach_selection *selection, int (*take)(void *arg, int pidfd),
		    void *arg, char **refused, size_t *nr_refused);

/*
 * Finds a process to whose pidfd is_target() says yes, and that the caller may not trace. Returns
 * its pid; 0: there is none; -errno: /proc cannot be read.
 */
pid_t attach_find_refused(bool (*is_target)(void *arg, int pidfd), void *arg);
