// SPDX-License-Identifier: GPL-2.0
// Follows a log that another process writes, as tail -f does, by inotify.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int writes_log(void)
{
	int fd = open("app.log", O_WRONLY | O_APPEND);
	struct timespec pause = { 0, 15000000 };
	for (int i = 0; i < 60; i++) {
		char line[64];
		nanosleep(&pause, NULL);
		int n = snprintf(line, sizeof line, "request %d took %d ms%s\n", i, i * 31 % 97,
				 i == 59 ? " end" : "");
		if (write(fd, line, (size_t)n) != n)
			return 1;
	}
	return close(fd) != 0;
}

int main(void)
{
	int log = open("app.log", O_RDWR | O_CREAT | O_TRUNC, 0644);
	int watch = inotify_init1(0);
	FILE *out = fopen("seen.txt", "w");
	if (log < 0 || watch < 0 || !out || inotify_add_watch(watch, "app.log", IN_MODIFY) < 0)
		return 1;
	pid_t pid = fork();
	if (pid < 0)
		return 1;
	if (!pid)
		_exit(writes_log());
	for (int done = 0; !done;) {
		char events[4096], text[4096];
		if (read(watch, events, sizeof events) < 0)
			return 1;
		ssize_t got;
		while ((got = read(log, text, sizeof text - 1)) > 0) {
			text[got] = 0;
			fputs(text, out);
			fflush(out);
			done = strstr(text, " end") != NULL;
		}
	}
	int status;
	waitpid(pid, &status, 0);
	fclose(out);
	return status != 0;
}
