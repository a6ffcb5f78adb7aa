/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SIGINT, SIGQUIT, SIGTERM and SIGHUP, read from a descriptor while somebody else's work goes on.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

struct signals {
	int fd;		     /* The signalfd, to be polled. -1: signals are not taken over. */
	int outer_fd;	     /* The descriptor of who had taken them over before. -1: nobody. */
	sigset_t saved_mask; /* The mask that the process had before. */
	struct sigaction saved_chld;
};

/*
 * Blocks the signals, except those that are ignored (nohup, a background job of a shell without job
 * control) and are not always (0: none). SIGCHLD gets its default action, because the kernel reaps
 * children where it is ignored. 0 or -errno.
 */
int signals_take_over(struct signals *s, int always);

/* Takes the next signal that has come. false: none has. */
bool signals_next(const struct signals *s, struct signalfd_siginfo *si);

/*
 * Does as signals_next(), but drops a signal that repeats one within a tenth of a second:
 * timeout(1) signals its child and then the whole group.
 */
bool signals_next_meant(const struct signals *s, struct signalfd_siginfo *si);

/* Has any signal been taken so far, by whomever? */
bool signals_taken(void);

/*
 * Returns a descriptor that is readable while a signal waits for who has taken them over, or -1 if
 * nobody has.
 */
int signals_waiting_fd(void);

/* Sets the mask and the dispositions as they were, also in a child. */
void signals_put_back(const struct signals *s);

/* Dies of a signal, without a core file. */
void signals_die(int sig) __attribute__((noreturn));

/* Drops signals that have come and puts all back. last: the program ends, and they stay blocked. */
void signals_end(struct signals *s, bool last);
