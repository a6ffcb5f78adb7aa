// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/files.h"
#include "trace/strace/clones.h"
#include "trace/strace/counts.h"
#include "trace/strace/line.h"
#include "trace/strace/tasks.h"
#include "trace/strace/threads.h"

struct strace_parser {
	struct strace_format format;
	struct syscall_set set;
	int filters[NR_ABIS][2];	   /* Numbers of seccomp(2) and prctl(2). */
	struct strace_line **lines, *line; /* The line of each log, and the one that is read now. */
	size_t nr_lines;
	int log; /* Number of the log that is read now. */
	struct strace_tasks tasks;
	struct strace_clones clones;
	struct ids members; /* Processes that are traced for themselves. */
	struct strace_counts counts;
	bool open;	   /* The window is open. */
	unsigned nr_execs; /* Number of the command's execves before that. */
	uint64_t opened_ns, now_ns;
	bool saw_filter;
	bool no_memory;
};

static void leave(struct strace_task *task)
{
	task->inside = task->under_way = false;
	free(task->path);
	task->path = NULL;
}

/* Counts a call as lost: its return was missed. */
static void lose_call(struct strace_parser *p, struct strace_task *task)
{
	if (task->inside && task->counted) {
		p->counts.profile.entered--;
		p->counts.profile.lost++;
	}
	leave(task);
}

static void die_inside(struct strace_parser *p, struct strace_task *task)
{
	if (task->inside && task->counted)
		p->counts.profile.died++;
	leave(task);
}

/* ---- the beginning of a call ---- */

/*
 * Has what the rest of the line says of its file kept. With groups that is the path of an execve,
 * too: a task that has ended cannot be asked what it is called after it.
 */
static void keep_file(struct strace_parser *p, const struct strace_task *task)
{
	bool names = p->counts.groups && task->traits.action == ACTION_EXECS;

	if (!p->counts.files && !names)
		return;
	p->line->keep = syscall_uses_file(&task->traits) || syscall_searches(&task->traits);
	p->line->path_arg = task->traits.path_arg;
}

/* Does the log have the calls that make tasks, decoded? */
static bool log_has_clones(const struct strace_parser *p)
{
	return p->counts.files || p->counts.groups || p->format.no_follow;
}

/* Does a task belong to a traced process? It had no line yet. as_made is what its creation says. */
static enum strace_membership membership_of(const struct strace_parser *p, pid_t tid,
					    enum strace_membership as_made)
{
	pid_t process;

	if (!p->format.no_follow || ids_have(&p->members, tid))
		return MEMBER;
	process = p->format.proc ? p->format.proc->process_of(tid) : 0;
	if (process)
		return ids_have(&p->members, process) ? MEMBER : NOT_MEMBER;
	return as_made;
}

/* Finds or makes the task of a line. NULL: no memory. */
static struct strace_task *find_task(struct strace_parser *p, pid_t tid)
{
	struct strace_task *task = strace_tasks_get(&p->tasks, tid);
	struct strace_clone clone = { .tid = tid };

	if (!task || task->seen)
		return task;
	if (!task->expected && log_has_clones(p)) {
		clone = strace_clones_find(&p->clones, &p->tasks, tid, p->log, p->format.proc);
		task->who = clone.who;
	}
	task->membership = membership_of(p, tid, clone.membership);
	return task;
}

static void want(struct strace_parser *p, struct strace_task *task)
{
	task->wanted = true;
	task->counted = !task->under_way;
	p->counts.profile.entered += task->counted;
}

/* Marks the call that its task enters. */
static void enter(struct strace_parser *p, struct strace_task *task, enum iotrace_abi abi, int nr)
{
	bool wanted = p->open && p->set.wanted[abi][nr], belongs = task->membership == MEMBER;

	*task = (struct strace_task){
		.pid = task->pid,
		.seen = true,
		.membership = task->membership,
		.inside = true,
		.under_way = task->under_way,
		.undecided = wanted && belongs && p->format.filter_paths,
		.abi = abi,
		.nr = nr,
		.traits = syscall_traits(abi, nr),
		.log = p->log,
		.since_ns = p->now_ns,
		.writes = task->writes,
		.who = task->who,
		.nr_of_task = task->nr_of_task,
		.process_nr = task->process_nr,
		.name = task->name,
	};
	strace_task_take_name(task, p->line->comm);
	if (wanted && strace_counts_enter(&p->counts, &p->tasks, task))
		p->no_memory = true;
	if (wanted && belongs && !p->format.filter_paths)
		want(p, task);
	/* It cannot be known any more whether the task belongs. */
	p->counts.profile.lost += wanted && task->membership == MEMBERSHIP_UNKNOWN;
}

static void begin_call(struct strace_parser *p)
{
	struct strace_line *l = p->line;
	struct strace_task *task;
	enum iotrace_abi abi;
	int nr = strace_line_call(l, &abi);

	task = nr >= 0 ? find_task(p, l->pid) : NULL;
	if (!task) {
		p->no_memory |= nr >= 0;
		p->counts.profile.lost += nr >= 0 && p->open && p->set.wanted[abi][nr];
		strace_line_skip(l);
		return;
	}
	lose_call(p, task);
	task->under_way = strace_task_begins_again(task, abi, &nr);
	/* The file of a call that has ended is not known. */
	if (task->expected && task->before >= 0 && !task->under_way)
		p->counts.profile.under_way +=
			p->set.wanted[abi][task->before] && !p->format.filter_paths;
	enter(p, task, abi, nr);
	l->forks = task->traits.action == ACTION_FORKS && log_has_clones(p);
	if (task->counted || task->undecided || task->traits.action == ACTION_EXECS)
		keep_file(p, task);
}

/* Decides, with -P, whether a call is wanted. */
static void decide(struct strace_parser *p, struct strace_task *task)
{
	task->undecided = false;
	if (strace_is_wanted(p->format.filter_paths, task, p->line))
		want(p, task);
}

/* The first argument may be a directory in which a path is looked up. */
static void decide_by_descriptor(struct strace_parser *p)
{
	struct strace_task *task = strace_tasks_find(&p->tasks, p->line->pid);

	if (task && task->undecided && p->line->path_arg < 0)
		decide(p, task);
}

static void resume_call(struct strace_parser *p)
{
	const struct strace_task *task = strace_tasks_find(&p->tasks, p->line->pid);

	if (!task || !task->inside)
		strace_line_skip(p->line);
	else
		keep_file(p, task);
}

/* ---- calls ---- */

static void count_call(struct strace_parser *p, struct strace_task *task)
{
	struct syscall_stats *row = strace_counts_row(&p->counts, task);

	if (!row) {
		p->no_memory = true;
		lose_call(p, task);
	} else if (strace_counts_add(&p->counts, row, task, p->line, p->log)) {
		p->no_memory = true;
	}
}

/* The window opens with the command's own execve, which is counted. */
static void note_exec(struct strace_parser *p, struct strace_task *task)
{
	if (p->open || task->pid != p->format.command || p->nr_execs++ < p->format.skip_execs)
		return;
	p->open = true;
	p->opened_ns = p->now_ns;
	if (p->set.wanted[task->abi][task->nr] && !p->format.filter_paths)
		want(p, task);
}

/* Is it in a call that is wanted, and began before strace attached? */
static bool began_before(const struct strace_task *task)
{
	return task->under_way && task->wanted;
}

static void note_clone(struct strace_parser *p, const struct strace_task *parent)
{
	const struct strace_line *l = p->line;

	int64_t tid = l->translated ?: l->value;

	if (!l->failed && tid > 0 && tid <= STRACE_MAX_PID)
		strace_clones_note(&p->clones, (pid_t)tid, parent);
}

/* An execve has succeeded. The one that opens the window is made by the new program. */
static void finish_exec(struct strace_parser *p, struct strace_task *task)
{
	bool was_open = p->open;

	note_exec(p, task);
	if (p->counts.files || p->counts.groups)
		strace_clones_execute(task, p->line, p->format.proc);
	strace_task_rename(task);
	if (p->open && !was_open && p->set.wanted[task->abi][task->nr] &&
	    strace_counts_enter(&p->counts, &p->tasks, task))
		p->no_memory = true;
}

static void finish_call(struct strace_parser *p, struct strace_task *task)
{
	if (task->traits.action == ACTION_EXECS && !p->line->failed)
		finish_exec(p, task);
	if (task->traits.action == ACTION_FORKS && log_has_clones(p))
		note_clone(p, task);
	if (task->undecided)
		decide(p, task);
	if (task->counted)
		count_call(p, task);
	p->counts.profile.under_way += began_before(task);
	leave(task);
}

/* A thread that calls execve takes over the pid of its leader, and so does its call. */
static void supersede(struct strace_parser *p, pid_t old_pid)
{
	struct strace_task *old = strace_tasks_find(&p->tasks, old_pid), *task;
	uint64_t number;

	if (!old || old_pid == p->line->pid)
		return;
	task = strace_tasks_get(&p->tasks, p->line->pid);
	if (task) {
		die_inside(p, task);
		strace_who_forget(&task->who);
		number = task->nr_of_task;
		*task = *old;
		task->pid = p->line->pid;
		task->nr_of_task = number;
		task->superseded = true;
		old->path = old->who.exe = NULL; /* They belong to the task now. */
	} else {
		p->no_memory = true;
		lose_call(p, old);
	}
	strace_tasks_remove(&p->tasks, old_pid);
}

static void task_event(struct strace_parser *p, const char *text)
{
	static const char superseded[] = "+++ superseded by execve in pid ";
	struct strace_task *task = strace_tasks_find(&p->tasks, p->line->pid);

	if (!strncmp(text, superseded, sizeof(superseded) - 1)) {
		unsigned long pid = strtoul(text + sizeof(superseded) - 1, NULL, 10);

		if (pid && pid <= STRACE_MAX_PID)
			supersede(p, (pid_t)pid);
	} else if (!strncmp(text, "+++ exited ", 11) || !strncmp(text, "+++ killed ", 11)) {
		if (task)
			die_inside(p, task);
		strace_tasks_remove(&p->tasks, p->line->pid);
	}
}

/* Is the call SECCOMP_SET_MODE_FILTER or PR_SET_SECCOMP, in raw arguments? */
static bool sets_filter(const struct strace_parser *p, const struct strace_task *task)
{
	return (task->nr == p->filters[task->abi][0] && !strcmp(p->line->arg, "0x1")) ||
	       (task->nr == p->filters[task->abi][1] && !strcmp(p->line->arg, "0x16"));
}

/*
 * Corrects the result of such an execve: strace --seccomp-bpf reads it from the entry of the next
 * call.
 */
static void read_superseding(struct strace_line *l)
{
	if (l->outcome != OUTCOME_RETURNED && l->outcome != OUTCOME_UNREADABLE)
		return;
	l->outcome = OUTCOME_RETURNED;
	l->failed = false;
	l->value = 0;
}

static void end_line(struct strace_parser *p)
{
	struct strace_line *l = p->line;
	struct strace_task *task = strace_tasks_find(&p->tasks, l->pid);

	if (task)
		task->makes_thread |= l->makes_thread;
	if (task && l->arg_len)
		task->filter = sets_filter(p, task);
	if (task && task->filter && l->outcome == OUTCOME_RETURNED && !l->failed && p->open)
		p->saw_filter = true;
	if (task && task->superseded)
		read_superseding(l);
	if (l->outcome == OUTCOME_UNFINISHED && task && l->keep &&
	    strace_note_unfinished(p->counts.files, &p->counts.profile, task, l))
		p->no_memory = true;
	if (l->outcome == OUTCOME_TASK_EVENT)
		task_event(p, l->word);
	else if (l->outcome == OUTCOME_RETURNED && task)
		finish_call(p, task);
	else if ((l->outcome == OUTCOME_NEVER || l->outcome == OUTCOME_UNREADABLE) && task)
		die_inside(p, task);
	else if (l->outcome == OUTCOME_BAD && task)
		lose_call(p, task);
}

int strace_parser__put_stacks(struct strace_parser *p, struct profile *out)
{
	int err = p->counts.stacks ? strace_stacks__end_all(p->counts.stacks) : 0;

	return p->counts.stacks && !err ? strace_stacks__put(p->counts.stacks, out) : err;
}

int strace_parser__add_log(struct strace_parser *p)
{
	bool keeps = p->counts.files || p->counts.groups;
	size_t size = sizeof(*p->line) + (keeps ? STRACE_TEXT_SIZE + 1 : 0);
	struct strace_line *l = calloc(1, size), **place;

	if (p->counts.stacks && l && strace_stacks__add_log(p->counts.stacks)) {
		free(l);
		return -ENOMEM;
	}
	place = l ? array_append(&p->lines, &p->nr_lines, sizeof(l)) : NULL;
	if (!place) {
		free(l);
		return -ENOMEM;
	}
	l->numbers = p->format.numbers;
	l->stacks = p->counts.stacks != NULL;
	strace_line_start(l);
	*place = l;
	return (int)p->nr_lines - 1;
}

int strace_parser__add_process(struct strace_parser *p, pid_t pid)
{
	return ids_add(&p->members, pid);
}

int strace_parser__expect(struct strace_parser *p, pid_t tid, int nr)
{
	struct strace_task *task;

	if (!p->counts.files && !p->counts.groups && (nr < 0 || nr >= MAX_SYSCALL_NR))
		return 0;
	task = strace_tasks_get(&p->tasks, tid);
	if (!task)
		return -ENOMEM;
	task->expected = true;
	task->before = nr < MAX_SYSCALL_NR ? nr : -1;
	if ((p->counts.files || p->counts.groups) && !task->seen)
		strace_clones_look_up(&task->who, tid, p->format.proc);
	return 0;
}

struct strace_parser *strace_parser__new(const struct strace_format *format,
					 const struct syscall_set *set)
{
	struct strace_parser *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->format = *format;
	p->set = *set;
	p->open = !format->command;
	for (int abi = 0; abi < NR_ABIS; abi++) {
		p->filters[abi][0] = syscall_number((enum iotrace_abi)abi, "seccomp");
		p->filters[abi][1] = syscall_number((enum iotrace_abi)abi, "prctl");
	}
	if (!strace_counts_init(&p->counts, format) && strace_parser__add_log(p) == 0 &&
	    (!format->command || !strace_parser__add_process(p, format->command)))
		return p;
	strace_parser__free(p);
	return NULL;
}

int strace_parser__feed(struct strace_parser *p, int log, const char *data, size_t len,
			uint64_t now_ns)
{
	const char *end = data + len;

	p->log = log;
	p->line = p->lines[log];
	p->now_ns = now_ns;
	p->no_memory = false;
	for (; data < end; data++) {
		if (strace_line_skipping(p->line)) {
			data = memchr(data, '\n', (size_t)(end - data));
			if (!data)
				break;
		}
		switch (strace_line_step(p->line, *data)) {
		case LINE_CALL:
			begin_call(p);
			break;
		case LINE_RESUMED:
			resume_call(p);
			break;
		case LINE_FILE:
			decide_by_descriptor(p);
			break;
		case LINE_FRAME:
			if (strace_stacks__frame(p->counts.stacks, log, p->line->text))
				p->no_memory = true;
			strace_line_start(p->line);
			break;
		case LINE_END:
			if (p->counts.stacks && strace_stacks__end(p->counts.stacks, log))
				p->no_memory = true;
			end_line(p);
			strace_line_start(p->line);
			break;
		case LINE_MORE:
			break;
		}
	}
	return p->no_memory ? -ENOMEM : 0;
}

bool strace_parser__window_open(const struct strace_parser *p, uint64_t *at_ns)
{
	if (at_ns)
		*at_ns = p->opened_ns;
	return p->open;
}

bool strace_parser__saw_filter(const struct strace_parser *p)
{
	return p->saw_filter;
}

size_t strace_parser__tasks(const struct strace_parser *p, pid_t *ids, size_t room)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->tasks.nr; i++) {
		const struct strace_task *task = p->tasks.table[i];

		if (task->membership != MEMBER)
			continue;
		if (nr < room)
			ids[nr] = task->pid;
		nr++;
	}
	return nr;
}

/* Lists the calls in flight, the longest first. Returns 0 or -ENOMEM. */
static int list_inflight(const struct strace_parser *p, struct profile *out, uint64_t now_ns)
{
	for (size_t i = 0; i < p->tasks.nr; i++) {
		const struct strace_task *task = p->tasks.table[i];
		struct inflight_call *call;

		if (!task->inside || (!task->counted && !began_before(task)))
			continue;
		call = array_append(&out->inflight, &out->nr_inflight, sizeof(*call));
		if (!call)
			return -ENOMEM;
		call->tid = task->pid;
		call->abi = task->abi;
		call->nr = task->nr;
		syscall_name(task->abi, task->nr, call->name, sizeof(call->name));
		call->before = task->under_way;
		call->since_ns = now_ns > task->since_ns ? now_ns - task->since_ns : 0;
		out->in_flight += !call->before;
	}
	profile_sort_inflight(out);
	return 0;
}

int strace_parser__snapshot(const struct strace_parser *p, struct profile *out, uint64_t now_ns)
{
	int err = strace_counts_put(&p->counts, out);

	if (!err)
		err = list_inflight(p, out, now_ns);
	if (err)
		profile_free(out);
	return err;
}

void strace_parser__free(struct strace_parser *p)
{
	if (!p)
		return;
	strace_counts_free(&p->counts);
	strace_tasks_free(&p->tasks);
	strace_clones_free(&p->clones);
	ids_free(&p->members);
	for (size_t i = 0; i < p->nr_lines; i++)
		free(p->lines[i]);
	free(p->lines);
	free(p);
}
