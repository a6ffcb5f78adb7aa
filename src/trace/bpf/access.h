/* SPDX-License-Identifier: GPL-2.0 */
/* What the probes must know to see nothing that the user may not trace. For collector_bpf.c alone. */
#ifndef IOTRACE_COLLECTOR_BPF_ACCESS_H
#define IOTRACE_COLLECTOR_BPF_ACCESS_H

#include <stddef.h>

struct iotrace_bpf;

/* Between the skeleton's opening and its loading. 0, or -EOPNOTSUPP with the reason in why. */
int bpf_access_configure(struct iotrace_bpf *skel, char *why, size_t size);

#endif
