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

/* Does a task belong that this one makes in the call that it is in? */
static enum strace_membership of_child(const struct strace_task *parent)
{
	return parent->makes_thread ? parent->membership : NOT_MEMBER;
}

void strace_members_born(struct strace_members *m, pid_t tid, const struct strace_task *parent)
{
	m->births[m->nr_births++ % NR_BIRTHS] =
		(struct strace_birth){ .tid = tid, .membership = of_child(parent) };
}

static bool has_process(const struct strace_members *m, pid_t process)
{
	for (size_t i = 0; i < m->nr; i++)
		if (m->processes[i] == process)
			return true;
	return false;
}

/* As the creation said that has returned last. */
static enum strace_membership find_birth(const struct strace_members *m, pid_t tid)
{
	for (unsigned i = 1; i <= NR_BIRTHS && i <= m->nr_births; i++) {
		const struct strace_birth *birth = &m->births[(m->nr_births - i) % NR_BIRTHS];

		if (birth->tid == tid)
			return birth->membership;
	}
	return MEMBERSHIP_UNKNOWN;
}

/* As all say that are creating a task now, if they say the same. */
static enum strace_membership ask_creators(const struct strace_tasks *tasks, int log)
{
	enum strace_membership all = MEMBERSHIP_UNKNOWN;
	bool one_asked = false;

	for (size_t i = 0; i < tasks->size; i++) {
		const struct strace_task *task = &tasks->table[i];
		enum strace_membership one = of_child(task);

		if (!task->pid || !task->inside || !task->forks || task->log != log)
			continue;
		if (one_asked && all != one)
			return MEMBERSHIP_UNKNOWN;
		all = one;
		one_asked = true;
	}
	return all;
}

enum strace_membership strace_members_find(const struct strace_members *m,
					   const struct strace_tasks *tasks, pid_t tid, int log)
{
	enum strace_membership birth;
	pid_t process;

	if (m->all || has_process(m, tid))
		return MEMBER;
	process = m->process_of ? m->process_of(tid) : 0;
	if (process)
		return has_process(m, process) ? MEMBER : NOT_MEMBER;
	birth = find_birth(m, tid);
	return birth != MEMBERSHIP_UNKNOWN ? birth : ask_creators(tasks, log);
}

void strace_members_free(struct strace_members *m)
{
	free(m->processes);
	m->processes = NULL;
	m->nr = 0;
}
