// SPDX-License-Identifier: GPL-2.0
#include "trace/overhead.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"

/*
 * Slices of some 50 us: nothing interrupted the quickest one. A machine can be slow for longer than a burst of
 * slices, so there are several bursts before, during and after tracing.
 */
#define BURSTS	    10
#define SLICES	    80
#define SLICE_CALLS 250
#define PATIENCE_MS 5000

/* Picoseconds to a call. */
static uint64_t measure_calls(int fd)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < SLICES; i++) {
		uint64_t start = monotonic_ns(), ns;

		for (int k = 0; k < SLICE_CALLS; k++)
			if (write(fd, "", 1) != 1)
				return UINT64_MAX;
		ns = monotonic_ns() - start;
		if (ns < best)
			best = ns;
	}
	return best * 1000 / SLICE_CALLS;
}

/* The process that is measured: it answers each byte with the time of a call. */
static void be_measured(int socket)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char byte;

	while (recv(socket, &byte, 1, 0) == 1) {
		uint64_t ps = fd < 0 ? UINT64_MAX : measure_calls(fd);

		if (send(socket, &ps, sizeof(ps), MSG_NOSIGNAL) != sizeof(ps))
			break;
	}
	_exit(0);
}

/* Measures once; lowers *ps if a call took less. */
static int ask_once(int socket, uint64_t *ps)
{
	struct pollfd answer = { .fd = socket, .events = POLLIN };
	uint64_t measured;

	if (send(socket, "", 1, MSG_NOSIGNAL) != 1)
		return -errno;
	if (poll(&answer, 1, PATIENCE_MS) != 1)
		return -ETIMEDOUT;
	if (recv(socket, &measured, sizeof(measured), 0) != sizeof(measured) ||
	    measured == UINT64_MAX)
		return -EIO;
	if (measured < *ps)
		*ps = measured;
	return 0;
}

static int ask(int socket, uint64_t *ps)
{
	int err = 0;

	for (int i = 0; !err && i < BURSTS; i++)
		err = ask_once(socket, ps);
	return err;
}

/* The same options, but for the measured process and with its calls among the wanted ones. */
static struct trace_options adapted(const struct trace_options *o, pid_t *pid)
{
	struct trace_options copy = *o;

	copy.scope = SCOPE_PIDS;
	if (o->scope == SCOPE_ALL || o->scope == SCOPE_CGROUP)
		copy.scope = SCOPE_ALL;
	copy.pids = pid;
	copy.nr_pids = 1;
	copy.comm = NULL;
	copy.uid = -1;
	copy.set.wanted[ABI_64][SYS_write] = true;
	return copy;
}

static int ask_traced(const struct collector_ops *ops, const struct trace_options *o, pid_t pid,
		      int socket, uint64_t *ps)
{
	struct trace_options copy = adapted(o, &pid);
	struct collector collector = { .ops = ops };
	char why[512]; /* not printed: opening it for the run gives the same error */
	int err = ops->open(&collector, &copy, why, sizeof(why));

	if (!err)
		err = ops->start(&collector, NULL);
	if (!err)
		err = ask(socket, ps);
	ops->close(&collector);
	return err;
}

static int measure(const struct collector_ops *ops, const struct trace_options *o,
		   uint64_t *added_ps)
{
	uint64_t bare = UINT64_MAX, traced = UINT64_MAX;
	int sockets[2], err;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(sockets[0]);
		be_measured(sockets[1]);
	}
	err = pid < 0 ? -errno : 0;
	close(sockets[1]);
	if (!err)
		err = ask(sockets[0], &bare);
	if (!err)
		err = ask_traced(ops, o, pid, sockets[0], &traced);
	if (!err)
		err = ask(sockets[0], &bare);
	if (!err)
		*added_ps = traced > bare ? traced - bare : 1;
	close(sockets[0]);
	if (pid > 0) {
		proc_signal(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return err;
}

/* Runs in a child, because a collector gives up rights that the collector of the run needs. */
int overhead_measure(const struct collector_ops *ops, const struct trace_options *o,
		     uint64_t *added_ps)
{
	struct {
		int err;
		uint64_t added_ps;
	} result = { .err = -EIO };
	int pipe_fds[2];
	pid_t pid;

	if (pipe2(pipe_fds, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid == 0) {
		result.err = measure(ops, o, &result.added_ps);
		_exit(write(pipe_fds[1], &result, sizeof(result)) != sizeof(result));
	}
	if (pid < 0)
		result.err = -errno;
	close(pipe_fds[1]);
	if (pid > 0 && read(pipe_fds[0], &result, sizeof(result)) != sizeof(result))
		result.err = -EIO;
	close(pipe_fds[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	*added_ps = result.added_ps;
	return result.err;
}
