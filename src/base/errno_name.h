/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of errnos, those of the kernel's own included, which only a tracer sees
 * (include/linux/errno.h).
 */
#pragma once

#include <stddef.h>

/* Writes "ENOENT", "ERESTARTSYS"; "errno 999" where there is no name. Returns buf. */
const char *format_errno(char *buf, size_t size, int err);

/*
 * Returns the number of a name as strace prints it, second names such as EWOULDBLOCK included; 0:
 * there is no such name.
 */
int errno_number(const char *name);
