// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "old.skel.h"
#include "trace/kernel.h"
#include "usual.skel.h"

enum probes probes_for(const struct iotrace_config *config)
{
	static const struct iotrace_config usual = USUAL_CONFIG;

	if (!kernel_takes_weak_functions())
		return PROBES_OLD;
	return memcmp(config, &usual, sizeof(usual)) ? PROBES_GENERAL : PROBES_USUAL;
}

struct iotrace_bpf *probes_open(enum probes which)
{
	static const void *(*const objects[])(size_t * size) = {
		[PROBES_GENERAL] = iotrace_bpf__elf_bytes,
		[PROBES_USUAL] = usual_bpf__elf_bytes,
		[PROBES_OLD] = old_bpf__elf_bytes,
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
