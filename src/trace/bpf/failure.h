/* SPDX-License-Identifier: GPL-2.0 */
/* Why the probes could not be loaded or attached, and what to do about it: from what the failing call said. */
#ifndef IOTRACE_BPF_FAILURE_H
#define IOTRACE_BPF_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

/* What can be known when it has failed. */
struct bpf_failure {
	int err;	 /* negative errno */
	bool sysfs, btf; /* /sys is mounted, and holds the kernel's BTF */
	bool root;
	unsigned major, minor;	 /* of the kernel's release */
	unsigned long max_files; /* that iotrace may open */
	const char *said;	 /* libbpf's first warning, which may be ""; not to be trusted */
};

/* doing: what failed, "cannot load the eBPF probes". */
void bpf_failure_explain(char *why, size_t size, const char *doing, const struct bpf_failure *f);

/* From now on: what libbpf says goes to stderr if verbose, and its first warning is kept. */
void bpf_failure_listen(bool verbose);

/* The same as bpf_failure_explain(), of this system, this moment and what libbpf has said since. */
void bpf_failure_examine(char *why, size_t size, const char *doing, int err);

#endif
