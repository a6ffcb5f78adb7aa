// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
	FILE *f = fopen("trace", "w");
	struct timespec next;

	if (strcmp(argv[argc - 1], "good"))
		setvbuf(f, NULL, _IONBF, 0);
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (int tick = 0; tick < 150; tick++) {
		for (int axis = 0; axis < 200; axis++)
			fprintf(f, "%d %d %d\n", tick, axis, tick * axis % 997);
		// The next tick comes when it is due, however long this one took.
		next.tv_nsec += 2000000;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	return fclose(f);
}
