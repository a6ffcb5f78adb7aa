// SPDX-License-Identifier: GPL-2.0
#include "base/signals.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/descriptor.h"

#define REPEATED_NS 100000000

static const int all[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/* The descriptor of who has taken the signals over. -1: nobody has. */
static int waiting_fd = -1;
/* When each signal was taken last, by CLOCK_MONOTONIC. 0: never. */
static uint64_t taken_ns[NSIG];

static bool is_ignored(int sig)
{
	struct sigaction sa;

	return !sigaction(sig, NULL, &sa) && sa.sa_handler == SIG_IGN;
}

int signals_take_over(struct signals *s, int always)
{
	const struct sigaction dfl = { .sa_handler = SIG_DFL };
	sigset_t handled;

	sigemptyset(&handled);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i] == always || !is_ignored(all[i]))
			sigaddset(&handled, all[i]);
	s->fd = above_stdio(signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK));
	if (s->fd < 0)
		return -errno;
	sigprocmask(SIG_BLOCK, &handled, &s->saved_mask);
	sigaction(SIGCHLD, &dfl, &s->saved_chld);
	s->outer_fd = waiting_fd;
	waiting_fd = s->fd;
	return 0;
}

bool signals_taken(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (taken_ns[all[i]])
			return true;
	return false;
}

int signals_waiting_fd(void)
{
	return waiting_fd;
}

/* Takes the next signal. *ns becomes when the same was taken before. 0: never. */
static bool next(const struct signals *s, struct signalfd_siginfo *si, uint64_t *ns)
{
	if (read(s->fd, si, sizeof(*si)) != sizeof(*si))
		return false;
	*ns = taken_ns[si->ssi_signo];
	taken_ns[si->ssi_signo] = monotonic_ns();
	return true;
}

bool signals_next(const struct signals *s, struct signalfd_siginfo *si)
{
	uint64_t ns;

	return next(s, si, &ns);
}

bool signals_next_meant(const struct signals *s, struct signalfd_siginfo *si)
{
	uint64_t ns;

	while (next(s, si, &ns))
		if (!ns || monotonic_ns() - ns >= REPEATED_NS)
			return true;
	return false;
}

void signals_die(int sig)
{
	sigset_t set;

	/* Unlike RLIMIT_CORE, this also works if core_pattern is a pipe. */
	prctl(PR_SET_DUMPABLE, 0);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	kill(getpid(), sig);
	/* The init process of a PID namespace is not killed by its own signals. */
	_exit(128 + sig);
}

void signals_put_back(const struct signals *s)
{
	sigaction(SIGCHLD, &s->saved_chld, NULL);
	sigprocmask(SIG_SETMASK, &s->saved_mask, NULL);
}

void signals_end(struct signals *s, bool last)
{
	struct signalfd_siginfo dropped;

	if (s->fd < 0)
		return;
	while (signals_next(s, &dropped))
		;
	waiting_fd = s->outer_fd;
	close_fd(&s->fd);
	if (!last)
		signals_put_back(s);
}
