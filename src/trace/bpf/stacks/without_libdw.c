// SPDX-License-Identifier: GPL-2.0
/* Takes the place of the other files here, and of src/stacks, where libdw is missing. */
#include <errno.h>

#include "trace/bpf/stacks/sampling.h"

const char *sampling__is_missing(void)
{
	return "iotrace was built without libdw (elfutils)";
}

int sampling__open(struct sampling **sampling, struct bpf_state *s)
{
	(void)s;
	*sampling = NULL;
	return -ENOSYS;
}

void sampling__learn(struct sampling *sampling, pid_t pid)
{
	(void)sampling;
	(void)pid;
}

int sampling__start(struct sampling *sampling)
{
	(void)sampling;
	return -ENOSYS;
}

void sampling__stop(struct sampling *sampling)
{
	(void)sampling;
}

int sampling__read(struct sampling *sampling, struct profile *p)
{
	(void)sampling;
	(void)p;
	return -ENOSYS;
}

void sampling__close(struct sampling *sampling)
{
	(void)sampling;
}
