// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/doctor/kernel_btf.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <sys/vfs.h>
#include <unistd.h>

static bool has_sysfs(void)
{
	struct statfs fs;

	return !statfs("/sys", &fs) && fs.f_type == SYSFS_MAGIC;
}

enum kernel_btf kernel_btf_look(void)
{
	if (!access(KERNEL_BTF, R_OK))
		return BTF_THERE;
	if (errno == EACCES)
		return BTF_DENIED;
	if (!has_sysfs())
		return BTF_NO_SYSFS;
	/* The kernel makes the folder for this file. */
	return access("/sys/kernel/btf", F_OK) ? BTF_NOT_BUILT : BTF_HIDDEN;
}

const char *kernel_btf_advice(enum kernel_btf state)
{
	static const char *const advice[] = {
		[BTF_THERE] = "",
		[BTF_NO_SYSFS] = "/sys is not mounted: 'mount -t sysfs sysfs /sys' brings it",
		[BTF_HIDDEN] = "something else is mounted over /sys/kernel/btf: unmount that",
		[BTF_DENIED] = "it may not be read: Permission denied",
		[BTF_NOT_BUILT] =
			"the kernel has to be built with CONFIG_DEBUG_INFO_BTF=y; distributions' kernels are",
	};

	return advice[state];
}

int kernel_btf_try(void)
{
	struct btf *btf = btf__parse_raw(KERNEL_BTF);
	int err = (int)libbpf_get_error(btf);

	if (!err)
		btf__free(btf);
	return err;
}
