// SPDX-License-Identifier: GPL-2.0
// A job runner waits for the result files of a worker, which takes 30 ms for each.

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define JOBS 10

static int work(void)
{
	for (int job = 0; job < JOBS; job++) {
		char name[32];
		int fd;

		nanosleep(&(struct timespec){ .tv_nsec = 30000000 }, NULL);
		snprintf(name, sizeof(name), "result-%d", job);
		fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
		if (fd < 0)
			return 1;
		close(fd);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int bad = argc > 1 && !strcmp(argv[1], "bad");
	int watch = bad ? -1 : inotify_init();
	int status;
	pid_t worker;

	if (!bad && inotify_add_watch(watch, ".", IN_CREATE) < 0)
		return 1;
	worker = fork();
	if (worker < 0)
		return 1;
	if (worker == 0)
		_exit(work());
	for (int job = 0; job < JOBS; job++) {
		char name[32], events[4096];
		struct stat st;

		snprintf(name, sizeof(name), "result-%d", job);
		while (stat(name, &st)) {
			if (!bad && read(watch, events, sizeof(events)) <= 0)
				return 1;
		}
	}
	if (waitpid(worker, &status, 0) != worker)
		return 1;
	return status ? 1 : 0;
}
