// SPDX-License-Identifier: GPL-2.0
#include "cli/runner.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/exit_status.h"

int runner_begin(struct runner *r)
{
	memset(r, 0, sizeof(*r));
	r->signals.fd = -1;
	return signals_take_over(&r->signals, 0);
}

void runner_end(struct runner *r)
{
	signals_end(&r->signals, r->signal);
}

static void __attribute__((noreturn))
work_in_child(const struct runner *r, int (*work)(void *arg, FILE *out), void *arg, int fd)
{
	FILE *out = fdopen(fd, "w");
	int err = out ? 0 : EXIT_IOTRACE;

	signals_put_back(&r->signals);
	if (!err)
		err = work(arg, out);
	if (out && fclose(out) && !err)
		err = EXIT_IOTRACE;
	fflush(stderr);
	_exit(err);
}

/* Waits for the end of a child. Until then, no other process gets its pid. */
static int wait_for(struct runner *r, pid_t pid, int pidfd, int *status)
{
	struct pollfd fds[] = {
		{ .fd = pidfd, .events = POLLIN },
		{ .fd = r->signals.fd, .events = POLLIN },
	};
	struct signalfd_siginfo si;

	do {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return -errno;
		while (signals_next(&r->signals, &si)) {
			r->signal = (int)si.ssi_signo;
			if (si.ssi_code != SI_KERNEL)
				syscall(SYS_pidfd_send_signal, pidfd, r->signal, NULL, 0);
		}
	} while (!(fds[0].revents & POLLIN));
	return TEMP_FAILURE_RETRY(waitpid(pid, status, 0)) < 0 ? -errno : 0;
}

/* Reads what the child has written. 0 or -errno. */
static int read_text(int fd, struct outcome *outcome)
{
	struct stat st;
	ssize_t nr;

	if (fstat(fd, &st))
		return -errno;
	outcome->text = malloc((size_t)st.st_size + 1);
	if (!outcome->text)
		return -ENOMEM;
	while (outcome->len < (size_t)st.st_size) {
		nr = pread(fd, outcome->text + outcome->len, (size_t)st.st_size - outcome->len,
			   (off_t)outcome->len);
		if (nr <= 0)
			return nr ? -errno : -EIO;
		outcome->len += (size_t)nr;
	}
	return 0;
}

int runner_run(struct runner *r, int (*work)(void *arg, FILE *out), void *arg,
	       struct outcome *outcome)
{
	int fd = above_stdio(memfd_create("iotrace", MFD_CLOEXEC)), pidfd = -1, err = 0;
	pid_t pid;

	memset(outcome, 0, sizeof(*outcome));
	if (fd < 0)
		return -errno;
	fflush(NULL);
	pid = fork();
	if (!pid)
		work_in_child(r, work, arg, fd);
	if (pid > 0)
		pidfd = above_stdio((int)syscall(SYS_pidfd_open, pid, 0));
	if (pid < 0 || pidfd < 0)
		err = -errno;
	if (!err)
		err = wait_for(r, pid, pidfd, &outcome->status);
	if (!err)
		err = read_text(fd, outcome);
	close_fd(&pidfd);
	close_fd(&fd);
	return err;
}
