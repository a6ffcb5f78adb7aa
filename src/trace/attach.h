/* SPDX-License-Identifier: GPL-2.0 */
/* Ways into what runs already: processes and cgroups, with the reason when there is none. */
#ifndef IOTRACE_ATTACH_H
#define IOTRACE_ATTACH_H

#include <stddef.h>
#include <sys/types.h>

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

/* Of the processes that the caller may not trace, those that are worth naming. */
struct attach_selection {
	int cgroup_fd;	  /* in the cgroup behind this descriptor; -1: in any */
	long long uid;	  /* of this user; -1: of any */
	const char *comm; /* of this name; NULL: of any */
};

/*
 * Has take() have a pidfd of every process that the caller may trace, as attach_open_process() would give it. take()
 * returns 1, 0 if it knew the process already, or -errno, which ends it. Returns the sum, or -errno. *refused (to be
 * freed) names all the others that are selected, "name (12), other (13)", escaped.
 */
int attach_take_all(const struct attach_selection *selection, int (*take)(void *arg, int pidfd),
		    void *arg, char **refused, size_t *nr_refused);

#endif
