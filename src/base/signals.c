// SPDX-License-Identifier: GPL-2.0
#include "base/signals.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "base/descriptor.h"

static bool is_ignored(int sig)
{
	struct sigaction sa;

	return !sigaction(sig, NULL, &sa) && sa.sa_handler == SIG_IGN;
}

int signals_take_over(struct signals *s, int always)
{
	static const int list[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	const struct sigaction dfl = { .sa_handler = SIG_DFL };
	sigset_t handled;

	sigemptyset(&handled);
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (list[i] == always || !is_ignored(list[i]))
			sigaddset(&handled, list[i]);
	s->fd = above_stdio(signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK));
	if (s->fd < 0)
		return -errno;
	sigprocmask(SIG_BLOCK, &handled, &s->saved_mask);
	sigaction(SIGCHLD, &dfl, &s->saved_chld);
	return 0;
}

bool signals_next(const struct signals *s, struct signalfd_siginfo *si)
{
	return read(s->fd, si, sizeof(*si)) == sizeof(*si);
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
	close_fd(&s->fd);
	if (!last)
		signals_put_back(s);
}
