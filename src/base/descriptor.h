/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers for file descriptors. */
#pragma once

/* Closes *fd unless it is -1, and sets it to -1. */
void close_fd(int *fd);

/*
 * If stdin, stdout or stderr is closed, a new descriptor takes its number, and output for stderr
 * would go there. Moves such an fd above them (close-on-exec). Returns the descriptor, or -1 with
 * errno. Passes -1 through.
 */
int above_stdio(int fd);

/* Makes a pipe with both ends above stdin, stdout and stderr. 0 or -errno. */
int pipe_above_stdio(int fds[2]);
