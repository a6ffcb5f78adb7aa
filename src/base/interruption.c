// SPDX-License-Identifier: GPL-2.0
#include "base/interruption.h"

#include <errno.h>
#include <poll.h>

#include "base/clock.h"

/*
 * The time before the first signal is obeyed. It may have been meant for what went on before, and
 * have come a moment too late, or be the SIGHUP of a closed terminal, after which files are still
 * to be written.
 */
#define PATIENCE_NS 1000000000

/* Returns the timeout for poll(2) until the first signal is obeyed. */
static int patience_ms(const struct interruption *i)
{
	uint64_t gone_ns = monotonic_ns() - i->begin_ns;

	return gone_ns < PATIENCE_NS ? (int)((PATIENCE_NS - gone_ns) / 1000000) : 0;
}

/* Returns the signal to obey; 0: there is nothing to interrupt any more. */
static int wait_for_signal(const struct interruption *i)
{
	struct pollfd fds[] = {
		{ .fd = i->signals.fd, .events = POLLIN },
		{ .fd = i->thread.end_fd, .events = POLLIN },
	};
	struct signalfd_siginfo si;
	int first = 0;

	for (;;) {
		int nr = poll(fds, 2, first ? patience_ms(i) : -1);

		if (nr < 0 && errno != EINTR)
			return 0;
		if (nr > 0 && fds[1].revents)
			return 0;
		if (nr == 0)
			return first;
		if (!signals_next_meant(&i->signals, &si))
			continue;
		if (first)
			return (int)si.ssi_signo;
		first = (int)si.ssi_signo;
	}
}

static void *obey_signal(void *arg)
{
	struct interruption *i = arg;
	int sig = wait_for_signal(i);

	if (sig) {
		i->give_up(i->arg, sig);
		signals_die(sig);
	}
	return NULL;
}

int interruption_begin(struct interruption *i, void (*give_up)(void *arg, int sig), void *arg)
{
	struct signalfd_siginfo before;
	int err = signals_take_over(&i->signals, 0);

	if (err)
		return err;
	while (signals_next(&i->signals, &before))
		;
	i->begin_ns = monotonic_ns();
	i->give_up = give_up;
	i->arg = arg;
	err = helper_thread_start(&i->thread, obey_signal, i);
	if (err)
		signals_end(&i->signals, false);
	return err;
}

void interruption_end(struct interruption *i)
{
	helper_thread_end(&i->thread);
	signals_end(&i->signals, false);
}
