// SPDX-License-Identifier: GPL-2.0
// Prints a log of events with local times.

#include <stdio.h>
#include <time.h>

int main(void)
{
	FILE *log = fopen("events.log", "w");

	if (!log)
		return 1;
	for (int i = 0; i < 400000; i++) {
		time_t when = 1700000000 + i * 37;
		struct tm *local = localtime(&when);
		char stamp[32];

		strftime(stamp, sizeof(stamp), "%Y-%m-%d %H:%M:%S", local);
		fprintf(log, "%s event %d: user %d of group %d took %.3f s for step %d\n", stamp, i,
			i % 1009, i % 13, i % 7919 * 0.001, i % 5);
	}
	return fclose(log) ? 1 : 0;
}
