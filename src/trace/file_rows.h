/* SPDX-License-Identifier: GPL-2.0 */
/* Names the rows of sockets, whichever backend has seen them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bpf/iotrace.h"

/*
 * "tcp:127.0.0.1:52163->127.0.0.1:80", without an arrow if it is not connected; "*" for what the
 * row's sockets do not have in common (FILE_LOCAL_ADDRESSES and so on). Of AF_INET and AF_INET6. To
 * be freed; NULL: no memory.
 */
char *socket_name(const struct iotrace_socket *s, uint32_t marks);

/* "pipe:[4711]", or "pipe:[*]" for several. To be freed; NULL: no memory. */
char *numbered_name(const char *kind, uint64_t number, bool several);

/*
 * The ports that sockets get that ask for none; the kernel's default where it does not say (no IP,
 * no /proc).
 */
struct iotrace_port_range ephemeral_ports(void);
