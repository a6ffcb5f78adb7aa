// SPDX-License-Identifier: GPL-2.0
/* Blurs rows, job by job; asks for the number of CPUs for each job ("bad") or once ("good"). */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { JOBS = 50000, WIDTH = 3072 };

static unsigned short row[WIDTH + 2];

static unsigned long blur(long from, long to)
{
	unsigned long sum = 0;

	for (long i = from; i < to; i++) {
		row[i + 1] = (row[i] + 2 * row[i + 1] + row[i + 2]) / 4 + (sum & 7);
		sum += row[i + 1];
	}
	return sum;
}

int main(int argc, char **argv)
{
	int each_time = argc > 1 && !strcmp(argv[1], "bad");
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned long sum = 0;

	for (long job = 0; job < JOBS; job++) {
		if (each_time)
			cpus = sysconf(_SC_NPROCESSORS_ONLN); /* glibc reads this from /sys. */
		row[job % WIDTH + 1] += job;
		for (long slice = 0; slice < cpus; slice++)
			sum += blur(slice * WIDTH / cpus, (slice + 1) * WIDTH / cpus);
	}
	printf("%lu\n", sum);
	return 0;
}
