// SPDX-License-Identifier: GPL-2.0
// A log of transactions with group commit. A client goes on when its transaction is on disk.

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CLIENTS	     4
#define TRANSACTIONS 450

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static char waiting[65536];
static size_t filled;
static unsigned long group = 1, durable;
static int running = CLIENTS, waiters;

static void *client(void *arg)
{
	long id = (long)arg;

	for (int i = 0; i < TRANSACTIONS; i++) {
		unsigned long mine;

		pthread_mutex_lock(&lock);
		filled += snprintf(waiting + filled, sizeof(waiting) - filled,
				   "client %ld transaction %d: debit 10, credit 10\n", id, i);
		mine = group;
		waiters++;
		pthread_cond_broadcast(&changed);
		while (durable < mine)
			pthread_cond_wait(&changed, &lock);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	running--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	static char batch[sizeof(waiting)];
	int log = open("transactions", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
	pthread_t threads[CLIENTS];

	if (log < 0)
		return 1;
	for (long i = 0; i < CLIENTS; i++)
		if (pthread_create(&threads[i], NULL, client, (void *)i))
			return 1;
	pthread_mutex_lock(&lock);
	while (running) {
		size_t length;

		// Each client that runs is in this group, so that no larger one is possible.
		if (waiters < running) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		length = filled;
		memcpy(batch, waiting, length);
		filled = 0;
		waiters = 0;
		group++;
		pthread_mutex_unlock(&lock);
		if (write(log, batch, length) != (ssize_t)length || fdatasync(log))
			return 1;
		pthread_mutex_lock(&lock);
		durable = group - 1;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(threads[i], NULL);
	return close(log) ? 1 : 0;
}
