/* SPDX-License-Identifier: GPL-2.0 */
/* Settings that iotrace changes for itself, but not for the processes that it starts. */
#pragma once

/*
 * Raises RLIMIT_NOFILE to the hard limit, and ignores SIGXFSZ and SIGPIPE, so that a file that
 * reached its limit and a pipe without a reader are errors (EFBIG, EPIPE) like a full disk. Threads
 * change the C library's own signals, too. Call it once, at the beginning.
 */
void inherited_state_change(void);

/* Restores the settings in a child, before it executes anything. Async-signal-safe. */
void inherited_state_put_back(void);
