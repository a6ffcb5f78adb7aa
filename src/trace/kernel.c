// SPDX-License-Identifier: GPL-2.0
#include "trace/kernel.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/proc.h"

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

bool kernel_takes_weak_functions(void)
{
	return !kernel_before(6, 4);
}

bool kernel_locked_down(void)
{
	char modes[128];

	/* The line is like "none integrity [confidentiality]". */
	read_line("/sys/kernel/security/lockdown", modes, sizeof(modes));
	return strstr(modes, "[confidentiality]");
}

bool kernel_may_preempt(void)
{
	struct utsname system;

	return uname(&system) || strstr(system.version, "PREEMPT");
}
