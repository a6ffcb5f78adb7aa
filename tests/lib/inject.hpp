// SPDX-License-Identifier: GPL-2.0
/* Makes another process do a system call. */
#pragma once

#include <sys/types.h>

/* Closes a descriptor of a process with one thread, whatever it is doing. Throws if that fails. */
void close_descriptor_of(pid_t pid, int fd);
