/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers for file descriptors. */
#ifndef IOTRACE_DESCRIPTOR_H
#define IOTRACE_DESCRIPTOR_H

/* Closes *fd unless it is -1, which it is then. */
void close_fd(int *fd);

/*
 * Where stdin, stdout or stderr is closed, a new descriptor takes its place, and what is meant for stderr would land in
 * it: moves fd above them, close-on-exec. Returns the descriptor, or -1 with errno; takes -1, as failing calls return
 * it.
 */
int above_stdio(int fd);

#endif
