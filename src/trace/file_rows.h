/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of files, whichever backend has seen them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/profile_files.h"

/*
 * Names a socket of AF_INET or AF_INET6: "tcp:127.0.0.1:52163->127.0.0.1:80", without an arrow if
 * it is not connected; "*" stands for what the row's sockets do not have in common
 * (FILE_LOCAL_ADDRESSES and so on). To be freed; NULL: no memory.
 */
char *socket_name(const struct iotrace_socket *s, uint32_t marks);

/* Makes "pipe:[4711]", or "pipe:[*]" for several. To be freed; NULL: no memory. */
char *numbered_name(const char *kind, uint64_t number, bool several);

/* Makes "unix:/run/socket" or "unix:@abstract". To be freed; NULL: no memory. */
char *unix_name(const char *kind, const char *name, size_t len, bool abstract);

/*
 * Finds the figures of a syscall on a row, or makes and names them; *f is the row. NULL: no memory.
 */
struct file_call *file_row_call(struct profile *p, uint32_t row, enum iotrace_abi abi, int nr,
				struct file_stats **f);

/* Adds calls of a program to a row's users. Returns 0 or -ENOMEM. */
int file_row_add_user(struct profile *p, uint32_t row, pid_t pid, const char comm[16],
		      uint64_t calls);

/* Adds calls of several processes of a program to them. Returns 0 or -ENOMEM. */
int file_row_add_users(struct profile *p, uint32_t row, const char comm[16], uint64_t processes,
		       uint64_t calls);

/* Adds calls of a group to a row's. Returns 0 or -ENOMEM. */
int file_row_add_group(struct profile *p, uint32_t row, uint32_t group, uint64_t calls);

/* Makes the row that of descriptors that are not open. Returns 0 or -ENOMEM. */
int file_row_be_invalid(struct file_stats *f);

/*
 * The ports that sockets get that ask for none. They are the kernel's default where it does not say
 * (no IP, no /proc).
 */
struct iotrace_port_range ephemeral_ports(void);
