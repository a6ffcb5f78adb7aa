// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/load/load.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "trace/bpf/load/offsets.h"
#include "trace/privilege.h"

int bpf_access_configure(struct iotrace_bpf *skel, char *why, size_t size)
{
	struct iotrace_bpf__rodata *config = skel->rodata;
	int err;

	if (!config->cfg.access)
		return 0;
	config->cfg_access_uid = getuid();
	config->cfg_access_gid = getgid();
	config->cfg_access_caps = privilege_permitted();
	err = bpf_find_access_offsets((struct iotrace_access_offsets *)&config->cfg_access_at);
	if (err)
		snprintf(
			why, size,
			"this kernel's BTF does not say whose a process is, and so which ones you may trace: use sudo");
	return err;
}
