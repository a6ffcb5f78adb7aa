/* SPDX-License-Identifier: GPL-2.0 */
/* SIGINT, SIGQUIT, SIGTERM and SIGHUP, taken by a descriptor while somebody else's work goes on. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

struct signals {
	int fd;		     /* to poll; -1: not taken over */
	sigset_t saved_mask; /* as the process inherited it */
	struct sigaction saved_chld;
};

/*
 * Blocks them, but for those that are ignored (nohup, a background job of a shell without job
 * control): they stay so, except for always (0: none). SIGCHLD gets its default action, because
 * the kernel reaps children where it is ignored. 0 or -errno.
 */
int signals_take_over(struct signals *s, int always);

/* The next signal that has come; false: none has. */
bool signals_next(const struct signals *s, struct signalfd_siginfo *si);

/* Sets mask and dispositions as they were, in a child, too. */
void signals_put_back(const struct signals *s);

/* Drops what has come meanwhile and puts them back; last: the program ends, they stay blocked. */
void signals_end(struct signals *s, bool last);
