/* SPDX-License-Identifier: GPL-2.0 */
/* Reads from the system what may keep iotrace from using BPF, and advises what to do about that. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct rights {
	bool root;
	/*
	 * It is in a user namespace that is not the first one, where capabilities do not count for
	 * BPF. From /proc/self/uid_map.
	 */
	bool user_namespace;
	/* These are effective. CAP_SYS_ADMIN stands for the first two. */
	bool cap_bpf, cap_perfmon, cap_sys_ptrace;
	bool filtered; /* A seccomp filter is on iotrace itself. From /proc/self/status. */
};

void rights_look(struct rights *r);

/* Are there the capabilities that the probes need, where they count? */
bool rights_suffice(const struct rights *r);

/* Says how to get these capabilities. */
const char *rights_advice(const struct rights *r);

/*
 * Says why BPF is refused with this errno (negative), as far as the system tells, and what to do:
 * "CAP_BPF is missing: run it with sudo". Returns false, with "" in why, if nothing is known.
 */
bool rights_explain(char *why, size_t size, const struct rights *r, int err);
