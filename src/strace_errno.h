/* SPDX-License-Identifier: GPL-2.0 */
#ifndef IOTRACE_STRACE_ERRNO_H
#define IOTRACE_STRACE_ERRNO_H

#ifdef __cplusplus
extern "C" {
#endif

/* The number of an errno's name as strace prints it, the kernel's own included; 0: none. */
int strace_errno_number(const char *name);

#ifdef __cplusplus
}
#endif
#endif
