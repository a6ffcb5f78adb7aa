// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/counts.h"

#include <errno.h>
#include <string.h>

#include "model/files.h"

int strace_counts_init(struct strace_counts *c, const struct strace_format *format)
{
	*c = (struct strace_counts){ .profile.backend = "strace" };
	if (format->max_files) {
		c->files = strace_files__new(format->max_files, format->ephemeral);
		c->users = strace_users__new(2 * format->max_files + 1024);
		if (!c->files || !c->users)
			return -ENOMEM;
	}
	if (format->max_files && format->stacks) {
		c->stacks = strace_stacks__new();
		if (!c->stacks)
			return -ENOMEM;
	}
	if (!format->by[0])
		return 0;
	c->groups =
		strace_groups__new(format->by, format->max_groups, 4 * format->max_files + 1024);
	return c->groups ? 0 : -ENOMEM;
}

void strace_counts_free(struct strace_counts *c)
{
	profile_free(&c->profile);
	strace_files__free(c->files);
	strace_users__free(c->users);
	strace_groups__free(c->groups);
	strace_stacks__free(c->stacks);
}

int strace_counts_enter(struct strace_counts *c, struct strace_tasks *tasks,
			struct strace_task *task)
{
	int err = c->users ? strace_users__number(c->users, &task->who, &task->program) : 0;
	int of_group = c->groups ? strace_groups__enter(c->groups, tasks, task) : 0;

	return err ? err : of_group;
}

struct syscall_stats *strace_counts_row(struct strace_counts *c, const struct strace_task *task)
{
	struct syscall_stats *row = profile_syscall(&c->profile, task->abi, task->nr);

	if (row && !row->name[0]) {
		syscall_name(task->abi, task->nr, row->name, sizeof(row->name));
		row->transfers = task->traits.transfers;
	}
	return row;
}

static int count_by_syscall(struct syscall_stats *row, const struct strace_line *l)
{
	bool transfers = row->transfers;

	if (!l->failed || l->err)
		return syscall_stats_add_call(row, l->failed ? -l->err : l->value, l->timed, l->ns);
	/* strace has printed an errno that has no name here: it counts as an error without one. */
	row->transfers = false;
	syscall_stats_add_call(row, 0, l->timed, l->ns);
	row->transfers = transfers;
	row->errors++;
	return 0;
}

/* Counts a call for its file, whose row is *file then, and for who uses that. */
static int count_by_file(struct strace_counts *c, struct strace_task *task,
			 const struct strace_line *l, uint32_t *file)
{
	int err = strace_count_for_file(c->files, &c->profile, task, l, file);

	/* Rows that stand for many files have no users, as with eBPF. */
	if (err || *file <= FILE_ID_INVALID)
		return err;
	err = strace_users__add(c->users, &task->who, *file);
	return err || !c->groups ? err : strace_groups__use(c->groups, task, *file);
}

/* The stack of the call is in the next lines. */
static void begin_stack(struct strace_counts *c, const struct syscall_stats *row,
			const struct strace_task *task, const struct strace_line *l, int log,
			uint32_t file)
{
	const struct strace_stacked call = {
		.tid = task->pid,
		.abi = task->abi,
		.nr = task->nr,
		.row = file,
		.ns = l->timed ? l->ns : 0,
		.bytes = row->transfers && !l->failed && l->value > 0 ? (uint64_t)l->value : 0,
	};

	strace_stacks__begin(c->stacks, log, &call);
}

int strace_counts_add(struct strace_counts *c, struct syscall_stats *row, struct strace_task *task,
		      const struct strace_line *l, int log)
{
	uint32_t file = 0;
	int err = count_by_syscall(row, l), other;

	if (c->users)
		strace_users__count(c->users, task->program, l->timed ? l->ns : 0);
	other = c->groups ? strace_groups__count(&c->profile, task, row, l) : 0;
	err = err ? err : other;
	other = l->keep ? count_by_file(c, task, l, &file) : 0;
	err = err ? err : other;
	if (c->stacks)
		begin_stack(c, row, task, l, log, file);
	c->profile.returned++;
	return err;
}

int strace_counts_put(const struct strace_counts *c, struct profile *out)
{
	int err = profile_copy(out, &c->profile);

	if (!err && c->users)
		err = strace_users__put(c->users, out);
	if (!err && c->groups)
		err = strace_groups__put(c->groups, out);
	return err;
}
