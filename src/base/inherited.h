/* SPDX-License-Identifier: GPL-2.0 */
/* What iotrace was started with and changes for itself, but not for those that it starts. */
#ifndef IOTRACE_INHERITED_H
#define IOTRACE_INHERITED_H

/*
 * As many open files as the user's hard limit allows, and no death by SIGXFSZ: a file that may not grow any more is an
 * error (EFBIG) like a full disk. Once, at the beginning.
 */
void inherited_change(void);

/* In a child, before it executes anything: as it was. Async-signal-safe. */
void inherited_put_back(void);

#endif
