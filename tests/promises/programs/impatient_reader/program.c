// SPDX-License-Identifier: GPL-2.0
/* Takes messages of a slow sensor from a pipe: asks all the time ("bad"), or waits ("good"). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGES = 80 };

static void sense(int fd)
{
	struct timespec pause = { .tv_nsec = 5000000 };
	char text[64];

	for (int i = 0; i < MESSAGES; i++) {
		int n = snprintf(text, sizeof(text), "temperature %d\n", 200 + i * 7 % 30);

		nanosleep(&pause, NULL);
		if (write(fd, text, n) != n)
			_exit(1);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	int spin = argc > 1 && !strcmp(argv[1], "bad");
	int ends[2], status;
	long bytes = 0;
	pid_t sensor;

	if (pipe(ends) || (sensor = fork()) < 0) {
		perror("pipe or fork");
		return 1;
	}
	if (!sensor) {
		close(ends[0]);
		sense(ends[1]);
	}
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	for (;;) {
		struct pollfd wanted = { .fd = ends[0], .events = POLLIN };
		char text[4096];
		ssize_t n = read(ends[0], text, sizeof(text));

		if (n > 0)
			bytes += n;
		else if (!n)
			break;
		else if (errno != EAGAIN)
			return 1;
		else if (!spin)
			poll(&wanted, 1, -1);
	}
	printf("%ld\n", bytes);
	return waitpid(sensor, &status, 0) != sensor || status;
}
