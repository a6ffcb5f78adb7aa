/* SPDX-License-Identifier: GPL-2.0 */
/* Threads that leave all signals to the rest of the program. */
#pragma once

#include <pthread.h>

/* Creates one. 0 or an errno. */
int helper_thread_create(pthread_t *thread, void *(*run)(void *arg), void *arg);
