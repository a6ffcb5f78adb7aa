// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE 1 /* For asprintf(), strchrnul() and TEMP_FAILURE_RETRY(). */
#include "trace/target.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/inherited_state.h"
#include "base/proc.h"
#include "base/signals.h"

/* The exit status of a child that was never let go; only a debugger sees it. */
#define EXIT_PAUSED_CHILD 127

/*
 * A command that was signalled twice may take this long to end before it is left behind. Without
 * this time it would lose the race against iotrace when timeout(1) signals iotrace and then the
 * whole group.
 */
#define GRACE_MS 100

struct target {
	pid_t pid; /* Pid of the child. 0: none. */
	int pidfd;
	int status; /* Its wait status. -1: it has not ended. */
	/*
	 * Our end of a socket pair. To the child, a byte means go, and end of file means that
	 * nobody is left to say so. To us, a report comes before execve(), another one if that
	 * fails, and end of file at its success.
	 */
	int gate_fd;		  /* -1: it was let go. */
	uint64_t exec_ns, end_ns; /* CLOCK_MONOTONIC. 0: that has not happened yet. */

	struct signals signals; /* The signals that are taken over. */
	sigset_t passed;	/* The signals that have come once. */
	int interrupt;		/* The signal that ended the wait. 0: none has. */
};

/* What the child reports through the gate. */
struct gate_report {
	uint64_t ns; /* CLOCK_MONOTONIC */
	int err;     /* errno of execve(). 0: it is about to be called. */
};

static void __attribute__((noreturn))
run_child(const struct target *t, int gate_fd, const char *path, char *const argv[],
	  const struct user *user)
{
	struct gate_report report = { 0, 0 };
	char go;

	/* If the child kept our end, there would be no end of file when iotrace dies. */
	close(t->gate_fd);
	signals_put_back(&t->signals);
	inherited_state_put_back();
	if (user)
		report.err = -user_become(user);
	if (TEMP_FAILURE_RETRY(recv(gate_fd, &go, sizeof(go), 0)) == sizeof(go)) {
		report.ns = monotonic_ns();
		send(gate_fd, &report, sizeof(report), MSG_NOSIGNAL);
		if (!report.err) {
			execvp(path, argv);
			report.err = errno;
			send(gate_fd, &report, sizeof(report), MSG_NOSIGNAL);
		}
	}
	_exit(EXIT_PAUSED_CHILD);
}

int target__fork(struct target **out, const char *path, char *const argv[], const struct user *user)
{
	struct target *t = calloc(1, sizeof(*t));
	int gate[2] = { -1, -1 };
	int err = 0;

	*out = NULL;
	if (!t)
		return -ENOMEM;
	t->pidfd = t->signals.fd = t->gate_fd = t->status = -1;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, gate))
		goto fail;
	t->gate_fd = above_stdio(gate[0]);
	gate[1] = above_stdio(gate[1]);
	if (t->gate_fd < 0 || gate[1] < 0)
		goto fail;
	err = signals_take_over(&t->signals, 0);
	if (err)
		goto out;

	t->pid = fork();
	if (!t->pid)
		run_child(t, gate[1], path, argv, user);
	if (t->pid < 0)
		goto fail;
	t->pidfd = above_stdio(syscall(SYS_pidfd_open, t->pid, 0));
	if (t->pidfd >= 0)
		goto out;
fail:
	err = -errno;
out:
	close_fd(&gate[1]);
	if (err)
		target__free(t, false);
	else
		*out = t;
	return err;
}

int target__watch(struct target **out)
{
	struct target *t = calloc(1, sizeof(*t));
	int err;

	*out = NULL;
	if (!t)
		return -ENOMEM;
	t->pidfd = t->signals.fd = t->gate_fd = t->status = -1;
	/*
	 * A shell without job control starts jobs in the background with SIGINT ignored; there is
	 * no other way to end.
	 */
	err = signals_take_over(&t->signals, SIGINT);
	if (err)
		target__free(t, false);
	else
		*out = t;
	return err;
}

pid_t target__pid(const struct target *t)
{
	return t->pid;
}

int target__pidfd(const struct target *t)
{
	return t->pidfd;
}

int target__go(struct target *t)
{
	struct gate_report report = { 0, 0 };

	send(t->gate_fd, "", 1, MSG_NOSIGNAL);
	while (TEMP_FAILURE_RETRY(recv(t->gate_fd, &report, sizeof(report), 0)) == sizeof(report))
		t->exec_ns = report.ns;
	close_fd(&t->gate_fd);
	if (!report.err)
		return 0;
	TEMP_FAILURE_RETRY(waitpid(t->pid, &t->status, 0));
	return -report.err;
}

uint64_t target__wall_ns(const struct target *t)
{
	return t->exec_ns && t->end_ns ? t->end_ns - t->exec_ns : 0;
}

static void handle_signal(struct target *t, const struct signalfd_siginfo *si)
{
	int sig = si->ssi_signo;

	/*
	 * A command that signals its own process group (sh: kill 0) is ignored. A sender outside
	 * our PID namespace has the id 0, which no command has.
	 */
	if (t->pid && t->status == -1 && si->ssi_code == SI_USER && (pid_t)si->ssi_pid == t->pid)
		return;
	/* SIGHUP tells a daemon to reload, which can happen any number of times. */
	if (!t->pid || t->status != -1 || (sig != SIGHUP && sigismember(&t->passed, sig))) {
		t->interrupt = sig;
		return;
	}
	sigaddset(&t->passed, sig);
	/*
	 * The keys of a terminal signal its whole foreground process group. A hang-up goes to the
	 * session leader alone, which may be iotrace.
	 */
	if (si->ssi_code != SI_KERNEL || sig == SIGHUP)
		syscall(SYS_pidfd_send_signal, t->pidfd, sig, NULL, 0);
}

static void take_signals(struct target *t)
{
	struct signalfd_siginfo si;

	while (signals_next(&t->signals, &si))
		handle_signal(t, &si);
}

/* Returns 1 if the command has ended, 0 if not within timeout_ms, or -errno. */
static int reap(struct target *t, int timeout_ms)
{
	struct pollfd fd = { .fd = t->pidfd, .events = POLLIN };
	pid_t pid;

	if (!t->pid || t->status != -1 || poll(&fd, 1, timeout_ms) <= 0)
		return 0;
	pid = waitpid(t->pid, &t->status, WNOHANG);
	if (pid > 0)
		t->end_ns = monotonic_ns();
	return pid < 0 ? -errno : pid > 0;
}

static int64_t now_ms(void)
{
	return (int64_t)(monotonic_ns() / 1000000);
}

/* The timeout of poll(2) up to a point in time. < 0: for ever, as there. */
static int left_ms(int64_t deadline_ms)
{
	int64_t left;

	if (deadline_ms < 0)
		return -1;
	left = deadline_ms - now_ms();
	return left > 0 ? left : 0;
}

int target__wait(struct target *t, int wakeup_fd, int timeout_ms)
{
	int64_t deadline_ms = timeout_ms < 0 ? -1 : now_ms() + timeout_ms;
	int n, ended;

	for (;;) {
		struct pollfd fds[] = {
			{ .fd = wakeup_fd, .events = POLLIN },
			{ .fd = t->signals.fd, .events = POLLIN },
			{ .fd = t->status == -1 ? t->pidfd : -1, .events = POLLIN },
		};

		n = poll(fds, 3, t->interrupt ? 0 : left_ms(deadline_ms));
		if (n < 0 && errno != EINTR)
			return -errno;
		/*
		 * Signals are read before the end is looked for: those that came while the command
		 * ran are not for later.
		 */
		take_signals(t);
		ended = reap(t, t->interrupt ? GRACE_MS : 0);
		if (ended)
			return ended < 0 ? ended : TARGET_ENDED;
		if (t->interrupt)
			return TARGET_INTERRUPTED;
		if (n > 0 && fds[0].revents)
			return TARGET_WAKEUP;
		if (n == 0)
			return TARGET_TIMEOUT;
	}
}

int target__status(const struct target *t)
{
	return t->status;
}

int target__end_status(const struct target *t)
{
	return t->status != -1 ? t->status : W_EXITCODE(0, t->interrupt);
}

void target__free(struct target *t, bool last)
{
	if (!t)
		return;
	if (t->gate_fd >= 0 && t->pid > 0) {
		proc_signal(t->pid, SIGKILL);
		TEMP_FAILURE_RETRY(waitpid(t->pid, NULL, 0));
	}
	close_fd(&t->gate_fd);
	close_fd(&t->pidfd);
	/* A signal that comes after the report would only spoil the exit status. */
	signals_end(&t->signals, last);
	free(t);
}

void target_end_like(int status)
{
	if (status == -1)
		exit(EXIT_SUCCESS);
	if (!WIFSIGNALED(status))
		exit(WEXITSTATUS(status));
	signals_die(WTERMSIG(status));
}
