/* SPDX-License-Identifier: GPL-2.0 */
/* Explains why the probes could not be loaded or attached, and what to do, from the error of the failing call. */
#ifndef IOTRACE_BPF_FAILURE_H
#define IOTRACE_BPF_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

/* What is known after the failure. */
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

/* From now on, libbpf's messages go to stderr if verbose, and its first warning is kept. */
void bpf_failure_listen(bool verbose);

/* Calls bpf_failure_explain() with the facts of this system and libbpf's first warning. */
void bpf_failure_examine(char *why, size_t size, const char *doing, int err);
#endif
