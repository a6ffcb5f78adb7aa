// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"

#define EXIT_SHIM 127

const char *strace_shim_word(const struct strace_shim *s, char *buf)
{
	snprintf(buf, 64, "%d,%d,%d,%d", s->stderr_fd, s->log_fd, s->result_fd, s->not_tracer);
	return buf;
}

static void restore_stderr(int fd)
{
	if (fd < 0) {
		close(STDERR_FILENO);
		return;
	}
	dup2(fd, STDERR_FILENO);
	close(fd);
}

static _Noreturn void run(char *argv[])
{
	struct strace_shim_said said = { 0 };
	struct strace_shim s;
	pid_t tracer;

	if (sscanf(argv[2], "%d,%d,%d,%d", &s.stderr_fd, &s.log_fd, &s.result_fd, &s.not_tracer) !=
	    4)
		_exit(EXIT_SHIM);
	close(s.log_fd);
	fcntl(s.result_fd, F_SETFD, FD_CLOEXEC);
	restore_stderr(s.stderr_fd);
	/* If strace cannot attach it goes on, and the command would run untraced. */
	tracer = tracer_of(getpid());
	if (tracer != s.not_tracer)
		said.tracer = tracer;
	if (write(s.result_fd, &said, sizeof(said)) != sizeof(said) || !said.tracer)
		_exit(EXIT_SHIM);
	execvp(argv[3], &argv[4]);
	said.err = errno;
	if (write(s.result_fd, &said, sizeof(said)) != sizeof(said))
		_exit(EXIT_SHIM);
	_exit(EXIT_SHIM);
}

void strace_shim_be(int argc, char *argv[])
{
	if (argc >= 5 && !strcmp(argv[1], STRACE_SHIM_WORD))
		run(argv);
}
