/* SPDX-License-Identifier: GPL-2.0 */
/* Threads that leave all signals to the rest of the program. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* Creates one. 0 or an errno. */
int helper_thread_create(pthread_t *thread, void *(*run)(void *arg), void *arg);

/* One that runs until it is told to end. All zeroes: it does not run. */
struct helper_thread {
	pthread_t thread;
	int end_fd; /* Readable when it is to end. */
	bool running;
};

/* Starts it. 0 or -errno. */
int helper_thread_start(struct helper_thread *t, void *(*run)(void *arg), void *arg);

/* Tells it to end, and waits for that, if it runs. */
void helper_thread_end(struct helper_thread *t);
