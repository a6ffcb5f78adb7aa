// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/message.h"
#include "model/profile.h"
#include "trace/target.h"

#define NR_CALLS_MADE 3

/* A few files are enough. */
#define MAX_FILES 64

/* A process of ours, to be traced by -p: makes its calls once it is let go, and ends. */
struct caller {
	pid_t pid;
	int gate; /* closed to let it go */
};

static int fork_caller(struct caller *c)
{
	int gate[2];
	char byte;

	if (pipe2(gate, O_CLOEXEC))
		return -errno;
	c->pid = fork();
	if (!c->pid) {
		close(gate[1]);
		while (read(gate[0], &byte, 1) < 0 && errno == EINTR)
			;
		for (int i = 0; i < NR_CALLS_MADE; i++)
			syscall(SYS_getppid);
		_exit(0);
	}
	close(gate[0]);
	c->gate = gate[1];
	return c->pid < 0 ? -errno : 0;
}

static void let_go(struct caller *c)
{
	close_fd(&c->gate);
	if (c->pid > 0)
		TEMP_FAILURE_RETRY(waitpid(c->pid, NULL, 0));
	c->pid = -1;
}

static int prepare(struct trace_options *o, enum scope scope, struct caller *caller)
{
	char err[64];

	memset(o, 0, sizeof(*o));
	o->scope = scope;
	o->all = scope == SCOPE_ALL;
	o->uid = -1;
	o->files = o->cpu = o->quiet = true;
	o->max_files = MAX_FILES;
	if (scope != SCOPE_PIDS)
		return syscall_set_parse(&o->set, SYSCALL_SET_DEFAULT, err, sizeof(err));
	o->pids = &caller->pid;
	o->nr_pids = 1;
	return fork_caller(caller) ?: syscall_set_parse(&o->set, "getppid", err, sizeof(err));
}

static int make_target(struct target **t, enum scope scope)
{
	char *argv[] = { "true", NULL };

	/* It is ended before it executes anything. */
	return scope == SCOPE_COMMAND ? target__fork(t, "/bin/true", argv, NULL) : target__watch(t);
}

static uint64_t calls_of(const struct profile *p)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < p->nr_syscalls; i++)
		calls += p->syscalls[i].calls;
	return calls;
}

/* Traces for a moment. Returns 0, or -errno, perhaps with the reason in why. */
static int trace(struct collector *c, const struct target *target, struct caller *caller, char *why)
{
	bool counts = caller->pid > 0;
	struct profile p = { 0 };
	int err;

	message_divert(why, TRIAL_WHY_SIZE);
	err = c->ops->start(c, target);
	let_go(caller);
	if (!err)
		err = c->ops->stop(c);
	if (!err)
		err = c->ops->snapshot(c, &p, true);
	message_divert(NULL, 0);
	if (!err && counts && calls_of(&p) != NR_CALLS_MADE) {
		snprintf(why, TRIAL_WHY_SIZE, "of %d calls it has counted %" PRIu64, NR_CALLS_MADE,
			 calls_of(&p));
		err = -ENODATA;
	}
	profile_free(&p);
	return err;
}

void trial_run(struct trial *t, enum scope scope)
{
	struct collector c = { .ops = &collector_bpf };
	struct caller caller = { -1, -1 };
	struct target *target = NULL;
	struct trace_options o;
	int err = prepare(&o, scope, &caller);

	memset(t, 0, sizeof(*t));
	if (!err)
		err = c.ops->open(&c, &o, t->why, sizeof(t->why));
	if (!err)
		err = make_target(&target, scope);
	if (!err)
		err = trace(&c, target, &caller, t->why);
	if (err && !t->why[0])
		snprintf(t->why, sizeof(t->why), "%s", strerror(-err));
	for (size_t i = 0; !err && i < NR_FEATURES; i++)
		snprintf(t->lost[i], sizeof(t->lost[i]), "%s", c.lost[i] ? c.lost[i] : "");
	let_go(&caller);
	target__free(target, false);
	collector__close(&c);
}
