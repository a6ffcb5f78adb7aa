// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/load/probes.h"

#include <errno.h>
#include <stdlib.h>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "groups.skel.h"
#include "pre_6_4.skel.h"
#include "trace/kernel.h"
#include "default.skel.h"

static const struct {
	const char *name;
	const void *(*object)(size_t *size);
} objects[] = {
	[PROBES_GENERIC] = { "generic", iotrace_bpf__elf_bytes },
	[PROBES_DEFAULT] = { "default", default_bpf__elf_bytes },
	[PROBES_GROUPS] = { "groups", groups_bpf__elf_bytes },
	[PROBES_PRE_6_4] = { "pre-6.4", pre_6_4_bpf__elf_bytes },
};

static bool is_default(const struct iotrace_config *config)
{
#define SAME_AS_DEFAULT(name, by_default) &&config->name == by_default
	return true CONFIG(SAME_AS_DEFAULT);
}

enum probes probes_for(const struct iotrace_config *config, bool groups)
{
	if (!kernel_takes_weak_functions())
		return PROBES_PRE_6_4;
	if (!is_default(config))
		return PROBES_GENERIC;
	return groups ? PROBES_GROUPS : PROBES_DEFAULT;
}

const char *probes_name(enum probes probes)
{
	return objects[probes].name;
}

struct iotrace_bpf *probes_open(enum probes probes)
{
	struct iotrace_bpf *skel = calloc(1, sizeof(*skel));
	int err = skel ? iotrace_bpf__create_skeleton(skel) : -ENOMEM;

	if (!err) {
		skel->skeleton->data = (void *)objects[probes].object(&skel->skeleton->data_sz);
		err = bpf_object__open_skeleton(skel->skeleton, NULL);
	}
	if (!err)
		return skel;
	if (skel)
		iotrace_bpf__destroy(skel);
	errno = -err;
	return NULL;
}
