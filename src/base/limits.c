// SPDX-License-Identifier: GPL-2.0
#include "base/limits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static unsigned long soft_limit(int resource)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	getrlimit(resource, &limit);
	return limit.rlim_cur;
}

void limits_look(struct limits *l)
{
	l->files = soft_limit(RLIMIT_NOFILE);
	l->data = soft_limit(RLIMIT_DATA);
	l->space = soft_limit(RLIMIT_AS);
	l->file_size = soft_limit(RLIMIT_FSIZE);
}

const char *limits_explain(char *buf, size_t size, const struct limits *l, int err)
{
	if (err == EMFILE)
		snprintf(buf, size, "%lu are allowed; raise it with 'ulimit -n 1024'", l->files);
	else if (err == ENOMEM && l->data != RLIM_INFINITY)
		snprintf(buf, size, "%lu KiB are allowed; raise it with 'ulimit -d unlimited'",
			 l->data / 1024);
	else if (err == ENOMEM && l->space != RLIM_INFINITY)
		snprintf(
			buf, size,
			"%lu KiB of address space are allowed; raise it with 'ulimit -v unlimited'",
			l->space / 1024);
	else if (err == EFBIG && l->file_size != RLIM_INFINITY)
		snprintf(buf, size, "%lu bytes are allowed; raise it with 'ulimit -f unlimited'",
			 l->file_size);
	else
		return NULL;
	return buf;
}

const char *explain_errno(int err)
{
	static _Thread_local char text[300];
	struct limits l;
	char advice[200];

	limits_look(&l);
	if (!limits_explain(advice, sizeof(advice), &l, err))
		return strerror(err);
	snprintf(text, sizeof(text), "%s; %s", strerror(err), advice);
	return text;
}
