// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#define MESSAGE 32

// Takes a message as soon as there is one. Returns 0 at the end of all messages.
static int take(int in, char *message)
{
	ssize_t n;

	while ((n = read(in, message, MESSAGE)) < 0 && errno == EAGAIN)
		sched_yield();
	return n == MESSAGE;
}

int main(void)
{
	int to[2], from[2];
	char message[MESSAGE] = "ball";

	if (pipe2(to, O_NONBLOCK) || pipe2(from, O_NONBLOCK))
		return 1;
	if (!fork()) {
		close(to[1]);
		while (take(to[0], message))
			if (write(from[1], message, MESSAGE) != MESSAGE)
				break;
		_exit(0);
	}
	close(to[0]);
	for (int i = 0; i < 100000; i++)
		if (write(to[1], message, MESSAGE) != MESSAGE || !take(from[0], message))
			return 1;
	close(to[1]);
	wait(NULL);
	return 0;
}
