// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE 1 /* It declares strerrorname_np(). */
#include "base/errno_name.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

/* Errnos that programs never see, and synonyms. */
static const struct {
	const char *name;
	int err;
} others[] = {
	{ "ERESTARTSYS", 512 },
	{ "ERESTARTNOINTR", 513 },
	{ "ERESTARTNOHAND", 514 },
	{ "ENOIOCTLCMD", 515 },
	{ "ERESTART_RESTARTBLOCK", 516 },
	{ "EPROBE_DEFER", 517 },
	{ "EOPENSTALE", 518 },
	{ "ENOPARAM", 519 },
	{ "EBADHANDLE", 521 },
	{ "ENOTSYNC", 522 },
	{ "EBADCOOKIE", 523 },
	{ "ENOTSUPP", 524 },
	{ "ETOOSMALL", 525 },
	{ "ESERVERFAULT", 526 },
	{ "EBADTYPE", 527 },
	{ "EJUKEBOX", 528 },
	{ "EIOCBQUEUED", 529 },
	{ "ERECALLCONFLICT", 530 },
	{ "ENOGRACE", 531 },
	{ "EWOULDBLOCK", EWOULDBLOCK },
	{ "EDEADLOCK", EDEADLOCK },
	{ "EOPNOTSUPP", EOPNOTSUPP },
	{ "ENOTSUP", ENOTSUP },
};

int errno_number(const char *name)
{
	for (int err = 1; err <= EHWPOISON; err++) {
		const char *known = strerrorname_np(err);

		if (known && !strcmp(name, known))
			return err;
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (!strcmp(name, others[i].name))
			return others[i].err;
	}
	return 0;
}

const char *format_errno(char *buf, size_t size, int err)
{
	const char *name = strerrorname_np(err);

	for (size_t i = 0; !name && i < ARRAY_SIZE(others); i++) {
		if (others[i].err == err)
			name = others[i].name;
	}
	if (name)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "errno %d", err);
	return buf;
}
