// SPDX-License-Identifier: GPL-2.0
#include "trace/calibrator.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"

#define CALLS	     50 /* Number of calls in each slice. */
#define ROUNDS	     2000
#define SMALL_BYTES  64
#define COPIED_BYTES (1 << 20)
#define MAX_COPY     (1 << 16)
#define PATIENCE_MS  5000
#define PROCESSES    9

struct question {
	uint32_t call; /* An enum calibrator_call. */
	uint32_t bytes;
};

/* What the process writes, and where to. */
struct material {
	int device, memory; /* These are descriptors. */
	char bytes[MAX_COPY];
};

/* Nanoseconds that the writes take. 0: one failed. */
static uint64_t time_writes(int fd, const char *bytes, size_t size, size_t nr)
{
	uint64_t start = monotonic_ns();

	for (size_t i = 0; i < nr; i++)
		if (write(fd, bytes, size) != (ssize_t)size)
			return 0;
	return monotonic_ns() - start ?: 1;
}

/* Picoseconds of a round of the loop that calls are measured in. */
static double time_round(void)
{
	uint64_t start = monotonic_ns(), x = start | 1;

	for (int i = 0; i < ROUNDS; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	/* The result is used, as far as the compiler knows. */
	__asm__ volatile("" ::"r"(x));
	return (double)(monotonic_ns() - start) * 1000 / ROUNDS;
}

/* Times small writes in slices, each between two loops. */
static struct call_time time_slices(int fd, const char *bytes, size_t size)
{
	struct call_time time = { 0 };
	uint64_t sum_ns = 0;

	for (int i = 0; i < CALIBRATOR_SLICES; i++) {
		double before = time_round(), after;
		uint64_t ns = time_writes(fd, bytes, size, CALLS);

		if (!ns)
			return (struct call_time){ 0 };
		after = time_round();
		/* If one of the two was interrupted, it is the slower one. */
		time.round_ps[i] = before < after ? before : after;
		time.rounds[i] = (double)ns * 1000 / CALLS / time.round_ps[i];
		sum_ns += ns;
	}
	time.ps = sum_ns * 1000 / (CALIBRATOR_SLICES * CALLS);
	return time;
}

/* Nanoseconds from the start to the end of a shell that does nothing. 0: it was not started. */
static uint64_t time_process(void)
{
	/* The shell may neither read a file of the user's nor run one. */
	char *argv[] = { "sh", "-c", ":", NULL }, *envp[] = { NULL };
	uint64_t start = monotonic_ns();
	int status = -1;
	pid_t pid;

	errno = posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, envp);
	if (errno || waitpid(pid, &status, 0) != pid)
		return 0;
	if (status)
		errno = ENOEXEC;
	return status ? 0 : monotonic_ns() - start ?: 1;
}

static int by_time(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* The median: each may have been interrupted. */
static struct call_time time_processes(void)
{
	struct call_time time = { 0 };
	uint64_t ns[PROCESSES];

	for (int i = 0; i < PROCESSES; i++) {
		ns[i] = time_process();
		if (!ns[i])
			return time;
	}
	qsort(ns, PROCESSES, sizeof(*ns), by_time);
	time.ps = ns[PROCESSES / 2] * 1000;
	return time;
}

static struct call_time answer(const struct material *m, const struct question *q)
{
	struct call_time time = { 0 };

	if (q->call == CALIBRATOR_DEVICE)
		return time_slices(m->device, m->bytes, 1);
	if (q->call == CALIBRATOR_MEMORY)
		return lseek(m->memory, 0, SEEK_SET)
			       ? time
			       : time_slices(m->memory, m->bytes, SMALL_BYTES);
	if (q->call == CALIBRATOR_PROCESS)
		return time_processes();
	if (q->bytes && q->bytes <= MAX_COPY && !ftruncate(m->memory, 0) &&
	    !lseek(m->memory, 0, SEEK_SET))
		time.ps = time_writes(m->memory, m->bytes, q->bytes, COPIED_BYTES / q->bytes) *
			  1000 / (COPIED_BYTES / q->bytes);
	return time;
}

/*
 * Closes all descriptors but these two, which get other numbers: those that hold the probes are
 * among them.
 */
static void keep_only(int *socket, int *memory)
{
	const int first = 3;
	int above_socket = fcntl(*socket, F_DUPFD, first + 2);
	int above_memory = fcntl(*memory, F_DUPFD, first + 2);

	if (dup2(above_socket, first) < 0 || dup2(above_memory, first + 1) < 0 ||
	    close_range(first + 2, ~0U, 0))
		_exit(1);
	*socket = first;
	*memory = first + 1;
}

/* The process runs this: it answers each question with the time of a call. */
static void be_measured(int socket, int memory)
{
	static struct material m;
	struct question q;

	keep_only(&socket, &memory);
	m.device = open("/dev/null", O_WRONLY | O_CLOEXEC);
	m.memory = memory;
	memset(m.bytes, 'x', sizeof(m.bytes));
	while (recv(socket, &q, sizeof(q), 0) == sizeof(q)) {
		struct call_time time = answer(&m, &q);

		time.err = time.ps ? 0 : errno;
		if (send(socket, &time, sizeof(time), MSG_NOSIGNAL) != sizeof(time))
			break;
	}
	_exit(0);
}

int calibrator_start(struct calibrator *c)
{
	int sockets[2];

	c->pid = 0;
	c->socket = -1;
	c->memory = memfd_create("iotrace", MFD_CLOEXEC);
	if (c->memory < 0)
		return -errno;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	c->socket = sockets[0];
	c->pid = fork();
	if (c->pid == 0)
		be_measured(sockets[1], c->memory);
	close(sockets[1]);
	if (c->pid > 0)
		return 0;
	c->pid = 0;
	return -errno;
}

int calibrator_ask(struct calibrator *c, enum calibrator_call call, uint32_t bytes,
		   struct call_time *time)
{
	const struct question q = { call, bytes };
	struct pollfd answered = { .fd = c->socket, .events = POLLIN };

	if (send(c->socket, &q, sizeof(q), MSG_NOSIGNAL) != sizeof(q))
		return -errno;
	if (poll(&answered, 1, PATIENCE_MS) != 1)
		return -ETIMEDOUT;
	if (recv(c->socket, time, sizeof(*time), 0) != sizeof(*time))
		return -EIO;
	return time->ps ? 0 : time->err ? -time->err : -EIO;
}

void calibrator_end(struct calibrator *c)
{
	if (c->memory >= 0)
		close(c->memory);
	if (c->socket >= 0)
		close(c->socket);
	if (c->pid > 0) {
		proc_signal(c->pid, SIGKILL);
		waitpid(c->pid, NULL, 0);
	}
}
