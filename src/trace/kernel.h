/* SPDX-License-Identifier: GPL-2.0 */
/* The running kernel: its version and how it was built. */
#pragma once

#include <stdbool.h>

/*
 * The version from the release: 6 and 12 of "6.12.94-1". Returns false, and sets both to 0, if the
 * release has another form.
 */
bool kernel_version(unsigned *major, unsigned *minor);

/* Is it older than this version? False if the version is unknown. */
bool kernel_before(unsigned major, unsigned minor);

/*
 * Can tasks be preempted inside the kernel? The version string says so (UTS_VERSION in
 * init/Makefile).
 */
bool kernel_may_preempt(void);
