// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Answers each question after a log of what was done for it.
static void serve(int s)
{
	FILE *f = fopen("log", "w");
	unsigned long x = 1;
	char message[32];

	setvbuf(f, NULL, _IOLBF, 0);
	while (read(s, message, sizeof(message)) == sizeof(message)) {
		for (int i = 0; i < 800000; i++)
			x = x * 6364136223846793005UL + 1442695040888963407UL;
		for (int i = 0; i < 8; i++)
			fprintf(f, "step %d of %.20s\n", i, message);
		snprintf(message, sizeof(message), "%lu", x);
		if (write(s, message, sizeof(message)) != sizeof(message))
			break;
	}
	fclose(f);
	_exit(0);
}

int main(void)
{
	char message[32] = "question";
	struct timespec next;
	int s[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		return 1;
	if (!fork()) {
		close(s[0]);
		serve(s[1]);
	}
	close(s[1]);
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (int i = 0; i < 150; i++) {
		if (write(s[0], message, 32) != 32 || read(s[0], message, 32) != 32)
			return 1;
		next.tv_nsec += 2000000;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	close(s[0]);
	wait(NULL);
	return 0;
}
