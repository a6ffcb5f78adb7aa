/* SPDX-License-Identifier: GPL-2.0 */
/* The running kernel: its version and how it was built. */
#pragma once

#include <stdbool.h>

/*
 * The version from the release: 6 and 12 of "6.12.94-1". Returns false, and sets both to 0, if the
 * release has another form.
 */
bool kernel_version(unsigned *major, unsigned *minor);

/* Is the kernel older than this version? False if its version is unknown. */
bool kernel_before(unsigned major, unsigned minor);

/*
 * May a BPF program call a function of the kernel if there is one? Since Linux 6.4 it can ask
 * (check_pseudo_btf_id() in kernel/bpf/verifier.c).
 */
bool kernel_takes_weak_functions(void);

/*
 * Is it locked down to keep its memory confidential (kernel_lockdown(7))? False if that cannot be
 * known.
 */
bool kernel_locked_down(void);

/*
 * Can tasks be preempted inside the kernel? The version string says so (UTS_VERSION in
 * init/Makefile).
 */
bool kernel_may_preempt(void);
