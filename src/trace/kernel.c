// SPDX-License-Identifier: GPL-2.0
#include "trace/kernel.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

bool kernel_version(unsigned *major, unsigned *minor)
{
	struct utsname system;

	*major = *minor = 0;
	return !uname(&system) && sscanf(system.release, "%u.%u", major, minor) == 2;
}

bool kernel_before(unsigned major, unsigned minor)
{
	unsigned its_major, its_minor;

	if (!kernel_version(&its_major, &its_minor))
		return false;
	return its_major != major ? its_major < major : its_minor < minor;
}

bool kernel_may_preempt(void)
{
	struct utsname system;

	return uname(&system) || strstr(system.version, "PREEMPT");
}
