/* SPDX-License-Identifier: GPL-2.0 */
/* Whether the kernel's BTF, which describes its structures, is there, and if not, why. */
#pragma once

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"

enum kernel_btf {
	BTF_THERE,
	BTF_NO_SYSFS, /* /sys is not mounted */
	BTF_HIDDEN,   /* Another mount is over it. */
	BTF_DENIED,   /* It may not be read. */
	BTF_NOT_BUILT,
};

enum kernel_btf kernel_btf_look(void);

/* Why it is not there, and what brings it. */
const char *kernel_btf_advice(enum kernel_btf state);

/* Reads it as libbpf does, which does not tell why it cannot. 0 or -errno. */
int kernel_btf_try(void);
