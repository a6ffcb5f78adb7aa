/* SPDX-License-Identifier: GPL-2.0 */
/* The running kernel: its version and how it was built. */
#ifndef IOTRACE_KERNEL_H
#define IOTRACE_KERNEL_H

#include <stdbool.h>

/* Of its release: "6.12.94-1" is 6 and 12. False, and 0 and 0, if it has no such form. */
bool kernel_version(unsigned *major, unsigned *minor);

/* Is it older than this version? No, if it does not say. */
bool kernel_before(unsigned major, unsigned minor);

/* Can one task be preempted by another in the kernel? Its own name says so (init/Makefile: UTS_VERSION). */
bool kernel_may_preempt(void);

#endif
