// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "pre_6_4.skel.h"
#include "trace/kernel.h"
#include "default.skel.h"

enum probes probes_for(const struct iotrace_config *config)
{
	static const struct iotrace_config defaults = DEFAULT_CONFIG;

	if (!kernel_takes_weak_functions())
		return PROBES_PRE_6_4;
	return memcmp(config, &defaults, sizeof(defaults)) ? PROBES_GENERIC : PROBES_DEFAULT;
}

struct iotrace_bpf *probes_open(enum probes which)
{
	static const void *(*const objects[])(size_t * size) = {
		[PROBES_GENERIC] = iotrace_bpf__elf_bytes,
		[PROBES_DEFAULT] = default_bpf__elf_bytes,
		[PROBES_PRE_6_4] = pre_6_4_bpf__elf_bytes,
	};
	struct iotrace_bpf *skel = calloc(1, sizeof(*skel));
	int err = skel ? iotrace_bpf__create_skeleton(skel) : -ENOMEM;

	if (!err) {
		skel->skeleton->data = (void *)objects[which](&skel->skeleton->data_sz);
		err = bpf_object__open_skeleton(skel->skeleton, NULL);
	}
	if (!err)
		return skel;
	if (skel)
		iotrace_bpf__destroy(skel);
	errno = -err;
	return NULL;
}
