// SPDX-License-Identifier: GPL-2.0
#include "base/helper_thread.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>

#include "base/descriptor.h"

int helper_thread_create(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

int helper_thread_start(struct helper_thread *t, void *(*run)(void *arg), void *arg)
{
	int err;

	t->end_fd = above_stdio(eventfd(0, EFD_CLOEXEC));
	if (t->end_fd < 0)
		return -errno;
	err = helper_thread_create(&t->thread, run, arg);
	t->running = !err;
	if (err)
		close_fd(&t->end_fd);
	return -err;
}

void helper_thread_end(struct helper_thread *t)
{
	if (!t->running)
		return;
	t->running = false;
	eventfd_write(t->end_fd, 1);
	pthread_join(t->thread, NULL);
	close_fd(&t->end_fd);
}
