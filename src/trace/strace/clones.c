// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/clones.h"

#include <stdio.h>
#include <string.h>

#include "trace/strace/files.h"

/* The task that a call makes. Its executable is still that of its maker. */
static struct strace_clone made_by(const struct strace_task *parent, pid_t tid)
{
	struct strace_clone clone = {
		.tid = tid, .maker = parent->who.pid, .membership = NOT_MEMBER, .who = parent->who
	};

	if (parent->makes_thread) {
		clone.membership = parent->membership;
		return clone;
	}
	clone.who.pid = clone.maker ? tid : 0;
	clone.who.nr = 0;
	return clone;
}

void strace_clones_note(struct strace_clones *b, pid_t tid, const struct strace_task *parent)
{
	struct strace_clone *place = &b->last[b->nr++ % NR_CLONES];

	strace_who_forget(&place->who);
	*place = made_by(parent, tid);
	place->who.exe = parent->who.exe ? strdup(parent->who.exe) : NULL;
}

/* The task as the last creation has it that has returned this tid. NULL: none has. */
static const struct strace_clone *find_returned(const struct strace_clones *b, pid_t tid)
{
	for (unsigned i = 1; i <= NR_CLONES && i <= b->nr; i++) {
		const struct strace_clone *clone = &b->last[(b->nr - i) % NR_CLONES];

		if (clone->tid == tid)
			return clone;
	}
	return NULL;
}

static bool is_same(const struct strace_who *a, const struct strace_who *b)
{
	return a->pid == b->pid && !strcmp(a->comm, b->comm) &&
	       (a->exe == b->exe || (a->exe && b->exe && !strcmp(a->exe, b->exe)));
}

/* The process of a task, and the process that made that. 0: it is not known. */
struct family {
	pid_t process, parent;
};

static bool fits(const struct strace_clone *clone, const struct family *family)
{
	if (!family->process)
		return true;
	return clone->who.pid == family->process &&
	       (clone->who.pid != clone->tid || clone->maker == family->parent);
}

/* May it have made the task? */
static bool is_maker(const struct strace_task *task, int log)
{
	return task->inside && task->traits.action == ACTION_FORKS && !task->made &&
	       task->log == log;
}

/*
 * Asks all tasks that are creating one now, and have not been found to have made another. What they
 * do not agree upon is unknown. Returns how many there are.
 */
static unsigned ask_makers(struct strace_tasks *tasks, pid_t tid, int log,
			   const struct family *family, struct strace_clone *all)
{
	struct strace_task *maker = NULL;
	unsigned nr = 0;

	*all = (struct strace_clone){ .tid = tid };
	for (size_t i = 0; i < tasks->nr; i++) {
		struct strace_clone one;

		if (!is_maker(tasks->table[i], log))
			continue;
		one = made_by(tasks->table[i], tid);
		if (!fits(&one, family))
			continue;
		maker = tasks->table[i];
		if (!nr++)
			*all = one;
		if (all->membership != one.membership)
			all->membership = MEMBERSHIP_UNKNOWN;
		if (!is_same(&all->who, &one.who))
			all->who = (struct strace_who){ 0 };
	}
	if (nr == 1)
		maker->made = true;
	return nr;
}

void strace_clones_look_up(struct strace_who *who, pid_t tid, const struct strace_proc *proc)
{
	strace_who_forget(who);
	who->pid = proc ? proc->process_of(tid) : 0;
	if (!who->pid)
		return;
	proc->name_of(who->pid, who->comm, sizeof(who->comm));
	who->exe = proc->executable_of(who->pid);
}

struct strace_clone strace_clones_find(const struct strace_clones *b, struct strace_tasks *tasks,
				       pid_t tid, int log, const struct strace_proc *proc)
{
	const struct strace_clone *returned = find_returned(b, tid);
	struct strace_clone clone = { .tid = tid }, one;
	struct family family = { 0 };
	unsigned nr = 0;

	if (returned)
		clone = *returned;
	else
		nr = ask_makers(tasks, tid, log, &family, &clone);
	if (nr > 1 && !clone.who.pid && proc) {
		family.process = proc->process_of(tid);
		family.parent = family.process ? proc->parent_of(family.process) : 0;
		if (family.process && ask_makers(tasks, tid, log, &family, &one))
			clone.who = one.who;
	}
	if (returned || nr)
		clone.who.exe = clone.who.exe ? strdup(clone.who.exe) : NULL;
	else
		strace_clones_look_up(&clone.who, tid, proc);
	return clone;
}

void strace_clones_execute(struct strace_task *task, const struct strace_line *l,
			   const struct strace_proc *proc)
{
	struct strace_who who = { .pid = task->pid };
	const struct strace_said *said;
	const char *path = strace_path_of_call(task, l, &said);
	char comm[sizeof(who.comm)];

	strace_who_forget(&task->who);
	if (!path || said->empty)
		path = "";
	snprintf(who.comm, sizeof(who.comm), "%s", basename(path));
	if (proc)
		proc->name_of(who.pid, comm, sizeof(comm));
	if (!*path && proc && strcmp(comm, "?") != 0)
		strcpy(who.comm, comm);
	if (!*who.comm)
		return;
	/* The task may run another program by now. */
	if (proc && !strcmp(comm, who.comm))
		who.exe = proc->executable_of(who.pid);
	else if (*path == '/')
		who.exe = strdup(path);
	task->who = who;
}

void strace_clones_free(struct strace_clones *b)
{
	for (unsigned i = 0; i < NR_CLONES; i++)
		strace_who_forget(&b->last[i].who);
}
