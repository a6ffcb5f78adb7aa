// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/expected.h"

#include <string.h>

#include "base/array.h"
#include "model/syscalls.h"

void strace_expected_start(struct strace_expected *e)
{
	*e = (struct strace_expected){ 0 };
	for (int abi = 0; abi < NR_ABIS; abi++)
		e->restarts[abi] = syscall_number((enum iotrace_abi)abi, "restart_syscall");
}

struct strace_task *strace_expected_add(struct strace_expected *e, pid_t tid, int nr)
{
	struct strace_task *task = strace_tasks_get(&e->tasks, tid);

	if (task)
		task->nr = nr < MAX_SYSCALL_NR ? nr : -1;
	return task;
}

/* The kernel does not begin these again, signal(7): they return EINTR, unseen by strace. */
static bool is_given_up(enum iotrace_abi abi, int nr)
{
	static const char *const names[] = { "epoll_wait",	  "epoll_pwait",
					     "epoll_pwait2",	  "semop",
					     "semtimedop",	  "rt_sigtimedwait",
					     "semtimedop_time64", "rt_sigtimedwait_time64" };
	char name[40];

	syscall_name(abi, nr, name, sizeof(name));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

enum strace_before strace_expected_take(struct strace_expected *e, pid_t tid, enum iotrace_abi abi,
					int *nr, int *before)
{
	const struct strace_task *task = strace_tasks_find(&e->tasks, tid);

	if (!task)
		return BEFORE_NONE;
	*before = task->nr;
	strace_tasks_remove(&e->tasks, tid);
	if (*before < 0)
		return BEFORE_NONE;
	if (*nr == e->restarts[abi])
		*nr = *before;
	return *nr == *before && !is_given_up(abi, *nr) ? BEFORE_BEGUN_AGAIN : BEFORE_ENDED;
}

void strace_expected_free(struct strace_expected *e)
{
	strace_tasks_free(&e->tasks);
}
