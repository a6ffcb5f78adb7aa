// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/doctor/examine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/message.h"
#include "model/profile.h"
#include "trace/privilege.h"
#include "trace/target.h"

#define NR_CALLS_MADE 3

/* A few files are enough. */
#define MAX_FILES 64

/* A process as a user has them, to be traced: makes its calls once it is let go, and ends. */
struct caller {
	pid_t pid;
	int gate; /* Closing it lets the process go. */
};

static void __attribute__((noreturn)) be_caller(int gate)
{
	int err = privilege_become_ordinary();

	if (TEMP_FAILURE_RETRY(send(gate, &err, sizeof(err), MSG_NOSIGNAL)) == sizeof(err))
		TEMP_FAILURE_RETRY(recv(gate, &err, sizeof(err), 0));
	for (int i = 0; i < NR_CALLS_MADE; i++)
		syscall(SYS_getppid);
	_exit(0);
}

static int fork_caller(struct caller *c)
{
	int gate[2], err = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, gate))
		return -errno;
	c->pid = fork();
	if (!c->pid) {
		close(gate[0]);
		be_caller(gate[1]);
	}
	if (c->pid < 0)
		err = -errno;
	close(gate[1]);
	c->gate = gate[0];
	if (!err && TEMP_FAILURE_RETRY(recv(c->gate, &err, sizeof(err), 0)) != sizeof(err))
		err = -ECHILD;
	return err;
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
	o->files = o->cpu = o->stacks = o->quiet = true;
	o->max_files = MAX_FILES;
	if (scope == SCOPE_PIDS) {
		o->pids = &caller->pid;
		o->nr_pids = 1;
	}
	return (scope == SCOPE_COMMAND ? 0 : fork_caller(caller))
		       ?: syscall_set_parse(&o->set,
					    scope == SCOPE_PIDS ? "getppid" : SYSCALL_SET_DEFAULT,
					    err, sizeof(err));
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
static int trace(struct collector *c, enum scope scope, const struct target *target,
		 struct caller *caller, char *why)
{
	struct profile p = { 0 };
	int err;

	message_divert(why, TRIAL_WHY_SIZE);
	err = c->ops->start(c, target, why, TRIAL_WHY_SIZE);
	let_go(caller);
	if (!err)
		err = c->ops->stop(c);
	if (!err)
		err = c->ops->snapshot(c, &p, true);
	message_divert(NULL, 0);
	if (!err && scope == SCOPE_PIDS && calls_of(&p) != NR_CALLS_MADE) {
		snprintf(why, TRIAL_WHY_SIZE, "of %d calls it has counted %" PRIu64, NR_CALLS_MADE,
			 calls_of(&p));
		err = -ENODATA;
	}
	profile_free(&p);
	return err;
}

void trial_run(struct trial *t, const struct collector_ops *ops, enum scope scope)
{
	struct collector c = { .ops = ops };
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
		err = trace(&c, scope, target, &caller, t->why);
	if (err && !t->why[0])
		snprintf(t->why, sizeof(t->why), "%s", strerror(-err));
	for (size_t i = 0; !err && i < NR_FEATURES; i++)
		snprintf(t->lost[i], sizeof(t->lost[i]), "%s", c.lost[i] ? c.lost[i] : "");
	let_go(&caller);
	target__free(target, false);
	collector__close(&c);
}
