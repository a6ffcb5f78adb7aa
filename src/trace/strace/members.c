// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/members.h"

#include <errno.h>
#include <stdlib.h>

int strace_members_add(struct strace_members *m, pid_t process)
{
	pid_t *larger = reallocarray(m->processes, m->nr + 1, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	m->processes = larger;
	m->processes[m->nr++] = process;
	return 0;
}

static bool has_process(const struct strace_members *m, pid_t process)
{
	for (size_t i = 0; i < m->nr; i++)
		if (m->processes[i] == process)
			return true;
	return false;
}

enum strace_membership strace_members_find(const struct strace_members *m, pid_t tid,
					   enum strace_membership born)
{
	pid_t process;

	if (m->all || has_process(m, tid))
		return MEMBER;
	process = m->proc ? m->proc->process_of(tid) : 0;
	if (process)
		return has_process(m, process) ? MEMBER : NOT_MEMBER;
	return born;
}

void strace_members_free(struct strace_members *m)
{
	free(m->processes);
	m->processes = NULL;
	m->nr = 0;
}
