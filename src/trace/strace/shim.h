/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shim is what strace starts instead of the command: iotrace itself, which restores the
 * command's descriptors (strace's log and stderr must not be visible to it), executes the command,
 * and reports a failed execve.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#define STRACE_SHIM_WORD "--exec-under-strace"

/*
 * Does the shim's work if this is its command line, and does not return then. The command line is:
 * SELF WORD DESCRIPTORS PATH ARGV0 [ARG...].
 */
void strace_shim_be(int argc, char *argv[]);

/* The DESCRIPTORS word. */
struct strace_shim {
	int stderr_fd, log_fd, result_fd;
	pid_t not_tracer; /* The process that traces iotrace itself. 0: none does. */
};

/* Writes the word into a buffer of 64 bytes. Returns buf. */
const char *strace_shim_word(const struct strace_shim *s, char *buf);

/* Written to result_fd before the command is executed, and again if that fails. */
struct strace_shim_said {
	int err;      /* errno of the execve. 0: it has not failed yet. */
	pid_t tracer; /* strace's pid. 0: it could not attach, and nothing is executed. */
};
