// SPDX-License-Identifier: GPL-2.0
// Takes in reports from a folder, as soon as another process has written each.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPORTS = 150 };

static void write_reports(void)
{
	for (int i = 0; i < REPORTS; i++) {
		unsigned long x = i + 1;
		char name[32];
		FILE *out;

		for (int k = 0; k < 1500000; k++)
			x = x * 6364136223846793005UL + 1442695040888963407UL;
		snprintf(name, sizeof(name), "drop/%d.txt", i);
		out = fopen(name, "w");
		if (!out)
			_exit(1);
		fprintf(out, "%lu\n", x >> 40);
		fclose(out);
	}
	_exit(0);
}

int main(void)
{
	char events[4096] __attribute__((aligned(8)));
	int fd = inotify_init1(IN_CLOEXEC);
	unsigned long sum = 0;
	int taken = 0;

	if (fd < 0 || inotify_add_watch(fd, "drop", IN_CLOSE_WRITE) < 0)
		return 1;
	if (!fork())
		write_reports();
	while (taken < REPORTS) {
		ssize_t n = read(fd, events, sizeof(events));

		for (char *p = events; p < events + n;) {
			const struct inotify_event *event = (void *)p;
			char name[300];
			unsigned long value = 0;
			FILE *in;

			snprintf(name, sizeof(name), "drop/%s", event->name);
			in = fopen(name, "r");
			if (!in || fscanf(in, "%lu", &value) != 1)
				return 1;
			fclose(in);
			unlink(name);
			sum += value;
			taken++;
			p += sizeof(*event) + event->len;
		}
	}
	wait(NULL);
	printf("%d reports, %lu\n", taken, sum);
	return 0;
}
