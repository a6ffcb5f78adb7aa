// SPDX-License-Identifier: GPL-2.0
// An administrator changes settings, and goes on when the daemon has taken them.

#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHANGES 6000

static int change(int taken)
{
	for (int i = 0; i < CHANGES; i++) {
		FILE *settings = fopen("settings", "r+");
		char ok;

		if (!settings)
			return 1;
		fprintf(settings, "workers = %6d\nlimit = %8d\nname = \"service\"\n", i, i * 100);
		if (fclose(settings))
			return 1;
		if (read(taken, &ok, 1) != 1)
			return 1;
	}
	return 0;
}

int main(void)
{
	int watch = inotify_init1(IN_CLOEXEC), taken[2], status;
	FILE *first = fopen("settings", "w");
	long sum = 0;
	pid_t admin;

	if (!first || fclose(first))
		return 1;
	if (watch < 0 || inotify_add_watch(watch, "settings", IN_CLOSE_WRITE) < 0 || pipe(taken))
		return 1;
	admin = fork();
	if (admin < 0)
		return 1;
	if (admin == 0) {
		close(taken[1]);
		_exit(change(taken[0]));
	}
	close(taken[0]);
	for (int i = 0; i < CHANGES; i++) {
		char events[4096];
		FILE *settings;
		int workers;

		if (read(watch, events, sizeof(events)) <= 0)
			return 1;
		settings = fopen("settings", "r");
		if (!settings || fscanf(settings, "workers = %d", &workers) != 1 || workers != i)
			return 1;
		fclose(settings);
		sum += workers;
		if (write(taken[1], "k", 1) != 1)
			return 1;
	}
	if (waitpid(admin, &status, 0) != admin)
		return 1;
	return status || sum != (long)CHANGES * (CHANGES - 1) / 2;
}
