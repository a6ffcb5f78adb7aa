/* SPDX-License-Identifier: GPL-2.0 */
/* SIGINT, SIGQUIT, SIGTERM and SIGHUP, taken by a descriptor while somebody else's work goes on. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

struct signals {
	int fd;		     /* to poll; -1: not taken over */
	int outer_fd;	     /* the descriptor of whoever had taken them over before; -1: nobody */
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

/*
 * As signals_next(), but drops a signal that repeats one within a tenth of a second: timeout(1)
 * signals its child and then the whole group.
 */
bool signals_next_meant(const struct signals *s, struct signalfd_siginfo *si);

/* Whether any signal has been taken so far, by whomever. */
bool signals_taken(void);

/*
 * Whether a signal waits to be taken by whoever has taken them over: a descriptor to poll, or -1 if
 * nobody has.
 */
int signals_waiting_fd(void);

/* Sets mask and dispositions as they were, in a child, too. */
void signals_put_back(const struct signals *s);

/* Dies of a signal, without a core file. */
void signals_die(int sig) __attribute__((noreturn));

/* Drops what has come meanwhile and puts them back; last: the program ends, they stay blocked. */
void signals_end(struct signals *s, bool last);

/*
 * As pthread_create(3): 0 or an errno. The thread leaves all signals to the rest of the program.
 */
int helper_thread_create(pthread_t *thread, void *(*run)(void *arg), void *arg);
