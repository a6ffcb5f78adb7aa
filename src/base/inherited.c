// SPDX-License-Identifier: GPL-2.0
#include "base/inherited.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

static struct rlimit open_files;
static struct sigaction too_large;
static bool raised, ignored;

void inherited_change(void)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct rlimit wanted;

	ignored = !sigaction(SIGXFSZ, &ignore, &too_large);
	if (getrlimit(RLIMIT_NOFILE, &open_files))
		return;
	wanted = open_files;
	wanted.rlim_cur = wanted.rlim_max;
	raised = !setrlimit(RLIMIT_NOFILE, &wanted);
}

void inherited_put_back(void)
{
	if (ignored)
		sigaction(SIGXFSZ, &too_large, NULL);
	if (raised)
		setrlimit(RLIMIT_NOFILE, &open_files);
}
